package dev.keelson.registry.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.service.AllocationMetrics.Scope;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The node ports of Services in the store: one object, as kube-apiserver's {@code
 * ranges/servicenodeports}, which each allocation and release replaces if nobody else has. Safe for
 * use by several threads.
 */
public final class StoredNodePorts {

  private static final Logger LOG = Logger.getLogger(StoredNodePorts.class);
  private static final String NAME = "servicenodeports";

  /** Where earlier versions of Keelson had a key for each port. */
  private static final String FORMER_KEYS = "keelson.dev/node-ports";

  private final ObjectStore store;
  private final ObjectCodec codec;
  private final StoredType type;
  private final StoredType services;
  private final PortBitmap empty;
  private final AllocationMetrics metrics;
  private final RandomGenerator random;

  /** Held for changes, writes included, so that those of one server do not conflict. */
  private final ReentrantLock lock = new ReentrantLock();

  /** As last read or written by this server; null if unknown. Written under the lock. */
  private volatile @Nullable Stored newest;

  /**
   * The stored ports.
   *
   * @param revision of the key
   */
  public record Stored(PortBitmap ports, long revision) {}

  /**
   * @param type how a RangeAllocation is stored, below {@code ranges}
   * @param services how Services are stored
   */
  public StoredNodePorts(
      ObjectStore store,
      ObjectCodec codec,
      StoredType type,
      StoredType services,
      ServiceRanges ranges,
      AllocationMetrics metrics,
      RandomGenerator random) {
    this.store = store;
    this.codec = codec;
    this.type = type;
    this.services = services;
    this.empty = PortBitmap.empty(ranges.firstPort(), ranges.lastPort());
    this.metrics = metrics;
    this.random = random;
  }

  /** The configured range, without taken ports. */
  public PortBitmap configured() {
    return empty;
  }

  /**
   * Allocates the port that a Service requests.
   *
   * @return why it cannot be allocated; empty if it was
   */
  String allocate(long port) {
    if (!empty.contains(port)) {
      metrics.portRefused(Scope.STATIC);
      return outOfRange();
    }
    boolean ours = update(ports -> ports.has(port) ? ports : ports.with(port));
    if (!ours) {
      metrics.portRefused(Scope.STATIC);
      return "provided port is already allocated";
    }
    metrics.portAllocated(Scope.STATIC);
    return "";
  }

  String outOfRange() {
    return "provided port is not in the valid range. The range of valid ports is " + empty.range();
  }

  /** Allocates any port; empty if none is free. */
  OptionalInt allocateNext() {
    AtomicInteger chosen = new AtomicInteger();
    boolean found =
        update(
            ports -> {
              OptionalInt next = ports.next(random);
              next.ifPresent(chosen::set);
              return next.isPresent() ? ports.with(next.getAsInt()) : ports;
            });
    if (!found) {
      metrics.portRefused(Scope.DYNAMIC);
      return OptionalInt.empty();
    }
    metrics.portAllocated(Scope.DYNAMIC);
    return OptionalInt.of(chosen.get());
  }

  /** A port that seems free, for a dry run. */
  OptionalInt free(Collection<Integer> others) {
    PortBitmap ports = lastKnown();
    for (int port : others) {
      ports = ports.contains(port) ? ports.with(port) : ports;
    }
    return ports.next(random);
  }

  /** Releases a port; if the store is unavailable, the repair releases it later. */
  void release(long port) {
    if (!empty.contains(port)) {
      return;
    }
    try {
      boolean unused = update(ports -> ports.without(port));
    } catch (StorageException | ApiException e) {
      LOG.warnf("event=port-not-released port=%d error=%s", port, e.getMessage());
    }
  }

  /** The ports as last read or written by this server; the configured range if unknown. */
  public PortBitmap lastKnown() {
    Stored known = newest;
    return known == null ? empty : known.ports();
  }

  /**
   * Replaces the ports.
   *
   * @return whether an edit changed them; false also if the newest ones need no change
   */
  private boolean update(UnaryOperator<PortBitmap> edit) {
    lock.lock();
    try {
      Stored known = newest;
      boolean fresh = known == null;
      Stored current = known == null ? fetch() : known;
      while (true) {
        PortBitmap next = edit.apply(checked(current.ports()));
        if (next.equals(current.ports())) {
          if (fresh) {
            return false;
          }
          current = fetch();
          fresh = true;
        } else if (put(next, current.revision())) {
          return true;
        } else {
          current = fetchIfUnknown();
          fresh = true;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private PortBitmap checked(PortBitmap stored) {
    if (!stored.range().equals(empty.range())) {
      // as until the repair of a server with another range has rewritten it
      throw new ApiException(
          Reason.INTERNAL_ERROR,
          "Internal error occurred: failed to allocate a nodePort: the provided range does not"
              + " match the current range");
    }
    return stored;
  }

  private Stored fetchIfUnknown() {
    Stored known = newest;
    return known == null ? fetch() : known;
  }

  /** Whether the ports were stored; if not, {@link #newest} is what another server has stored. */
  private boolean put(PortBitmap ports, long revision) {
    newest = null;
    return switch (store.replace(type, "", NAME, encoded(ports), revision)) {
      case WriteOutcome.Applied applied -> {
        newest = new Stored(ports, applied.revision());
        yield true;
      }
      case WriteOutcome.Conflict conflict -> {
        newest = decoded(conflict.current());
        yield false;
      }
      case WriteOutcome.Missing _, WriteOutcome.Guarded _ -> false;
    };
  }

  /** Reads the ports; makes them of those that Services have if they are not in the store. */
  private Stored fetch() {
    newest = null;
    Entry entry = store.get(type, "", NAME).entry();
    if (entry == null) {
      PortBitmap used = ofServices();
      entry =
          switch (store.create(type, "", NAME, encoded(used))) {
            case WriteOutcome.Applied _ -> store.get(type, "", NAME).entry();
            case WriteOutcome.Conflict conflict -> conflict.current();
            case WriteOutcome.Missing _, WriteOutcome.Guarded _ -> null;
          };
    }
    Stored read = decoded(Objects.requireNonNull(entry));
    newest = read;
    return read;
  }

  private PortBitmap ofServices() {
    List<Integer> used = new ArrayList<>();
    long unused =
        store.list(
            services,
            "",
            entry ->
                used.addAll(
                    ServiceShape.ports(codec.decode(services, entry.value()).root().map("spec"))));
    PortBitmap ports = empty;
    for (int port : used) {
      ports = ports.contains(port) ? ports.with(port) : ports;
    }
    return ports;
  }

  /** The stored ports for a repair; not null, since they are made if they are missing. */
  public Stored read() {
    lock.lock();
    try {
      return fetch();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces the ports if they are still at {@code revision}; for the repair.
   *
   * @return whether they were replaced
   */
  public boolean replace(PortBitmap ports, long revision) {
    lock.lock();
    try {
      return put(ports, revision);
    } finally {
      lock.unlock();
    }
  }

  /** Removes the keys by which earlier versions of Keelson allocated ports. */
  public void removeFormerKeys() {
    StoredType former = new StoredType(FORMER_KEYS, services.kind(), services.schema());
    List<Entry> found = new ArrayList<>();
    long unused = store.list(former, "", found::add);
    for (Entry entry : found) {
      WriteOutcome outcome = store.delete(entry);
      LOG.debugf("event=former-port-key-removed key=%s outcome=%s", entry.key(), outcome);
    }
  }

  private Bytes encoded(PortBitmap ports) {
    MapNode root =
        MapNode.builder(3)
            .put("metadata", MapNode.EMPTY)
            .put("range", Node.text(ports.range()))
            .put("data", Node.text(Base64.getEncoder().encodeToString(bytes(ports.taken()))))
            .build();
    return codec.encode(type, new ApiObject(root));
  }

  /** Big endian without leading zeros, as Go's {@code big.Int}. */
  private static byte[] bytes(BigInteger number) {
    byte[] bytes = number.toByteArray();
    return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
  }

  private Stored decoded(Entry entry) {
    MapNode root = codec.decode(type, entry.value()).root();
    byte[] bits = Base64.getDecoder().decode(root.text("data"));
    String range = root.text("range");
    int dash = range.indexOf('-');
    try {
      int first = dash < 0 ? empty.first() : Integer.parseInt(range.substring(0, dash));
      int last = dash < 0 ? empty.last() : Integer.parseInt(range.substring(dash + 1));
      return new Stored(new PortBitmap(first, last, new BigInteger(1, bits)), entry.modRevision());
    } catch (NumberFormatException e) {
      throw new ApiException(
          Reason.INTERNAL_ERROR,
          "Internal error occurred: the stored range of node ports cannot be read: " + range);
    }
  }
}
