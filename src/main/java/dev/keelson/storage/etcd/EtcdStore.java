package dev.keelson.storage.etcd;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.KeyRevision;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.options.GetOption;
import io.grpc.Status;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RevisionedStore} in an etcd cluster, version 3.4 or later.
 *
 * <p>While etcd cannot be reached, calls wait for it until their deadline, so that a restart or a
 * change of the leader mostly passes unseen. Reads are tried again within the deadline; a write is
 * sent once.
 */
public final class EtcdStore implements RevisionedStore {

  private final EtcdOptions options;
  private final Connection connection;
  private final ProgressPolicy progress;
  private final PageSize pageSize;
  private final Set<EtcdFeed> feeds = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private EtcdStore(EtcdOptions options, Connection connection, ProgressPolicy progress) {
    this.options = options;
    this.connection = connection;
    this.progress = progress;
    pageSize = new PageSize(options.pageEntries());
  }

  /**
   * Makes a store that connects when it is first used; etcd need not run yet.
   *
   * @throws StorageException.Unavailable if a file for TLS cannot be read or does not hold what it
   *     should; the message says which
   */
  public static EtcdStore open(EtcdOptions options) {
    return open(options, ServerVersion::tellsProgressSoundly);
  }

  /** With a predicate for server versions whose progress notifications are reliable. */
  static EtcdStore open(EtcdOptions options, Predicate<ServerVersion> tellsProgressSoundly) {
    ProgressPolicy progress = new ProgressPolicy(options.endpoints(), tellsProgressSoundly);
    Connection connection =
        new Connection(options, options.encrypted() ? TlsFiles.context(options.tls()) : null);
    return new EtcdStore(options, connection, progress);
  }

  @Override
  public Read get(Bytes key, long atRevision) {
    requireKey(key);
    GetResponse answer =
        read(
            link ->
                link.kv.get(Wire.bytes(key), GetOption.builder().withRevision(atRevision).build()));
    List<KeyValue> found = answer.getKvs();
    return new Read(
        found.isEmpty() ? null : Wire.entry(found.getFirst()), answer.getHeader().getRevision());
  }

  @Override
  public Page range(KeyRange range, long atRevision, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, not " + limit);
    }
    GetResponse answer = answer(range, atRevision, limit);
    List<Entry> found = answer.getKvs().stream().map(Wire::entry).toList();
    long revision = atRevision == NEWEST ? answer.getHeader().getRevision() : atRevision;
    return new Page(found, answer.isMore(), answer.getCount(), revision);
  }

  /** As {@link #range}, with everything that etcd says of the keys. */
  GetResponse answer(KeyRange range, long atRevision, int limit) {
    while (true) {
      int entries = pageSize.entries(limit);
      try {
        return pageOf(range, atRevision, entries);
      } catch (StorageException.Unavailable e) {
        // gRPC's code for a response that is too large; a smaller page may succeed
        if (Status.fromThrowable(e).getCode() != Status.Code.RESOURCE_EXHAUSTED || entries == 1) {
          throw e;
        }
        pageSize.tooMany(entries);
      }
    }
  }

  private GetResponse pageOf(KeyRange range, long atRevision, int entries) {
    GetOption option =
        GetOption.builder()
            .withRange(Wire.end(range))
            .withRevision(atRevision)
            .withLimit(entries)
            .build();
    GetResponse answer = read(link -> link.kv.get(Wire.start(range), option));
    long bytes = 0;
    for (KeyValue kv : answer.getKvs()) {
      bytes += Wire.size(kv);
    }
    pageSize.saw(answer.getKvs().size(), bytes);
    return answer;
  }

  @Override
  public List<KeyRevision> history(Bytes key, long atRevision, int limit) {
    requireKey(key);
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, not " + limit);
    }
    KeyWalk walk =
        new KeyWalk(
            revision -> keyOnly(key, revision),
            last -> new KeyScan(connection, options, progress, key).until(last),
            limit);
    return walk.from(atRevision == NEWEST ? revision() : atRevision);
  }

  private @Nullable KeyValue keyOnly(Bytes key, long revision) {
    GetOption option = GetOption.builder().withRevision(revision).withKeysOnly(true).build();
    List<KeyValue> found = read(link -> link.kv.get(Wire.bytes(key), option)).getKvs();
    return found.isEmpty() ? null : found.getFirst();
  }

  @Override
  public WriteOutcome write(Write write) {
    requireKey(write.key());
    int bytes = write.key().length() + (write instanceof Write.Put put ? put.value().length() : 0);
    if (bytes > options.maxRequestBytes()) {
      throw StorageException.TooLarge.of(bytes, options.maxRequestBytes());
    }
    return Transaction.outcome(write, send(Transaction.request(write)));
  }

  private TxnResponse send(TxnRequest request) {
    Link link = link();
    try {
      return await(link, link.transaction(request));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageException.UnknownOutcome("interrupted while etcd worked", e);
    } catch (ExecutionException e) {
      throw unlessClosed(Failures.ofWrite(e));
    }
  }

  @Override
  public long revision() {
    Link link = link();
    return answerOf(link, link.revision());
  }

  /** The size of the database of the first member that answers. */
  @Override
  public long sizeBytes() {
    StorageException.@Nullable Unavailable failure = null;
    for (URI endpoint : options.endpoints()) {
      try {
        return read(link -> link.status(endpoint)).getDbSize();
      } catch (StorageException.Unavailable e) {
        failure = e;
      }
    }
    throw Objects.requireNonNull(failure, "a store has an endpoint");
  }

  @Override
  public ChangeFeed feed(KeyRange range, long afterRevision) {
    if (afterRevision < 1) {
      throw new IllegalArgumentException("a feed begins after revision 1 or later");
    }
    EtcdFeed feed =
        new EtcdFeed(
            connection, options, progress, range, this::revision, afterRevision, feeds::remove);
    feeds.add(feed);
    if (closed) {
      feed.close();
    } else {
      feed.begin();
    }
    return feed;
  }

  @Override
  public void compact(long revision) {
    read(link -> link.kv.compact(revision));
  }

  @Override
  public long grantLease(Duration timeToLive) {
    long seconds = Math.max(1, timeToLive.plusNanos(999_999_999).toSeconds());
    return read(link -> link.lease.grant(seconds)).getID();
  }

  private static void requireKey(Bytes key) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("a key must not be empty");
    }
  }

  private Link link() {
    if (closed) {
      throw new StorageException.Closed("the store was closed");
    }
    return connection.link();
  }

  /** For calls that are safe to repeat. */
  <T> T read(Function<Link, CompletableFuture<T>> call) {
    Link link = link();
    return answerOf(link, link.timely(call.apply(link), System.nanoTime()));
  }

  /** The result of a read that ends within the deadline. */
  private <T> T answerOf(Link link, CompletableFuture<T> answer) {
    try {
      return await(link, answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageException.Unavailable("interrupted while etcd worked", e);
    } catch (ExecutionException e) {
      throw unlessClosed(Failures.ofRead(e));
    }
  }

  private <T> T await(Link link, CompletableFuture<T> answer)
      throws InterruptedException, ExecutionException {
    try {
      T result = answer.get();
      link.answered();
      return result;
    } catch (ExecutionException e) {
      if (NotSentException.marks(e)) {
        connection.notSent(link);
      }
      throw e;
    }
  }

  /** The error of a call that was ended by {@link #close}, unless it may have written. */
  private StorageException unlessClosed(StorageException failure) {
    return closed && failure instanceof StorageException.Unavailable
        ? new StorageException.Closed("the store was closed")
        : failure;
  }

  @Override
  public void close() {
    closed = true;
    feeds.forEach(EtcdFeed::close);
    connection.close();
  }
}
