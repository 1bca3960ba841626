package dev.keelson.server.cache;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.customresource.DefinitionController;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.CustomResource;
import dev.keelson.schema.CustomResourceRows;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.json.Excerpt;
import dev.keelson.server.store.WriteTrackingStore;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import dev.keelson.work.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the catalog in step with the CustomResourceDefinitions of the store: every server of a
 * store serves an established definition as soon as its watch cache has it. Follows on a thread of
 * its own; only the names and versions of a definition are read, its schemas when they are used. A
 * change costs the definitions that changed, however many there are.
 */
public final class CustomResourceFeed implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(CustomResourceFeed.class);

  /** How long a request waits until the feed has a write of this server. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Number of waits for the feed, of half a second each. */
  private static final int FRESH_ATTEMPTS = 10;

  /** What rows and the listener need, so that a definition is scanned once. */
  private static final Excerpt FIELDS =
      Excerpt.of(
          Stream.concat(DefinitionController.FIELDS.stream(), CustomResourceRows.FIELDS.stream())
              .distinct()
              .toList());

  /** Receives the definitions. */
  public interface Listener {

    /**
     * A definition was listed or changed, and the catalog has it; must not block.
     *
     * @param definition the fields of {@link DefinitionController#FIELDS}, maybe others
     */
    void changed(ApiObject definition);

    /** A definition was deleted, and has left the catalog; must not block. */
    void gone(String name);
  }

  private final ResourceCatalog catalog;
  private final Set<GroupVersion> builtInVersions = new HashSet<>();
  private final CustomResourceRows rows;
  private final ObjectCodec codec;
  private final StoredType type;
  private final KeyRange keys;
  private final Reflector reflector;
  private final WriteTrackingStore writes;
  private final Map<String, Known> known = new HashMap<>();
  private final Reader reader = new Reader();
  private final ControllerLoop loop =
      ControllerLoop.every("custom-resources", ControllerLoop.NO_RESYNC, this::apply);

  /** Whether the reflector may have changes that have not been applied. */
  private volatile boolean dirty = true;

  /** The catalog has every change up to this revision. */
  private volatile long applied;

  /** Null until {@link #start}; what was read before is told then. */
  private volatile @Nullable Listener listener;

  /** Guards the known definitions; no other lock is taken under it. */
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * A definition as it was last read.
   *
   * @param origin what its rows depend on
   */
  private record Known(MapNode origin, List<ResourceDefinition> rows) {
    static final Known NONE = new Known(MapNode.EMPTY, List.of());
  }

  /**
   * Not yet following.
   *
   * @param catalog with the built-in resources alone
   * @param rows turns definitions into rows
   * @param type the stored definitions
   * @param writes tells when this process has written one
   */
  public CustomResourceFeed(
      ResourceCatalog catalog,
      CustomResourceRows rows,
      StoredType type,
      WatchCache cache,
      KeyLayout layout,
      WriteTrackingStore writes,
      ObjectCodec codec) {
    this.catalog = catalog;
    catalog
        .snapshot()
        .builtIn()
        .forEach(definition -> builtInVersions.add(GroupVersion.of(definition.gvr())));
    this.rows = rows;
    this.codec = codec;
    this.writes = writes;
    this.type = type;
    this.keys = layout.range(type, "");
    this.reflector = new Reflector(type, cache.type(keys.start()), keys, this::wake);
    catalog.followedBy(this::catchUp);
  }

  private void wake() {
    dirty = true;
    loop.signal();
  }

  /** Applies every change that this process has stored before the call. */
  private void catchUp() {
    long written = writes.lastWrite(keys.start());
    if (!dirty && written <= applied) {
      return;
    }
    try {
      if (!reflector.await(written, PATIENCE)) {
        LOG.warnf("event=definitions-late revision=%d", written);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    Turn.whole(this::apply);
  }

  /**
   * Waits until the catalog has every definition that any server has stored before the call.
   *
   * @throws ApiException of reason ServerTimeout if the feed does not reach it in time
   */
  public void awaitNewest() throws InterruptedException {
    for (int attempt = 0; attempt < FRESH_ATTEMPTS; attempt++) {
      if (reflector.awaitNewest()) {
        Turn.whole(this::apply);
        return;
      }
    }
    throw new ApiException(
        Reason.SERVER_TIMEOUT,
        "the watch cache has not caught up with the last write",
        ErrorDetails.NONE.withRetryAfterSeconds(1),
        null);
  }

  /**
   * Reads all definitions into the catalog, then follows their changes on a thread.
   *
   * @param definitions receives each of them, on the thread that reads
   */
  public void start(Listener definitions) {
    listener = definitions;
    apply();
    loop.start();
  }

  private void apply() {
    lock.lock();
    try {
      dirty = false;
      long reached = reflector.reached();
      reflector.read(reader);
      reader.publish();
      Listener told = listener;
      if (told != null) {
        reader.tell(told);
      }
      // not the greatest: those of a store that was restored from a backup are older
      applied = reached;
    } catch (RuntimeException e) {
      dirty = true;
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Applies what the reflector reads to the known definitions. */
  private final class Reader implements Reflector.Reader {

    /** What the catalog has of the definitions that were read since it was told. */
    private final Map<String, Known> published = new LinkedHashMap<>();

    private final Map<String, Optional<ApiObject>> untold = new LinkedHashMap<>();

    @Override
    public void clear() {
      known.forEach(published::putIfAbsent);
      known.keySet().forEach(name -> untold.put(name, Optional.empty()));
      known.clear();
    }

    /** Tells the catalog what has changed. */
    private void publish() {
      List<ResourceDefinition> removed = new ArrayList<>();
      List<ResourceDefinition> added = new ArrayList<>();
      published.forEach(
          (name, before) -> {
            Known now = known.getOrDefault(name, Known.NONE);
            if (now != before) {
              removed.addAll(before.rows);
              added.addAll(now.rows);
            }
          });
      catalog.update(new ResourceCatalog.Change(removed, added));
      published.clear();
    }

    /** Tells of what was read, after the catalog has it. */
    private void tell(Listener listener) {
      untold.forEach(
          (name, definition) ->
              definition.ifPresentOrElse(listener::changed, () -> listener.gone(name)));
      untold.clear();
    }

    @Override
    public void put(Entry entry) {
      String name = name(entry);
      MapNode origin;
      try {
        Bytes value = entry.value();
        Excerpt.Found found = FIELDS.read(value.backing(), value.offset(), value.end());
        MapNode whole = found == null ? codec.decode(type, value).root() : found.root();
        origin = origin(whole);
        untold.put(name, Optional.of(state(whole, entry.modRevision())));
      } catch (ApiException damaged) {
        // a damaged definition is treated as absent; reading it reports the error
        LOG.warnf("event=definition-unreadable definition=%s error=%s", name, damaged.text());
        remove(entry);
        return;
      }
      Known before = known.getOrDefault(name, Known.NONE);
      Known last = published.getOrDefault(name, before);
      published.put(name, last);
      // after a restart of the watch most are as they were
      known.put(
          name,
          before.origin.equals(origin)
              ? before
              : last.origin.equals(origin) ? last : new Known(origin, rows(name, origin, entry)));
    }

    @Override
    public void remove(Entry last) {
      String name = name(last);
      untold.put(name, Optional.empty());
      Known gone = known.remove(name);
      if (gone != null) {
        Known unused = published.putIfAbsent(name, gone);
      }
    }
  }

  private List<ResourceDefinition> rows(String name, MapNode origin, Entry entry) {
    if (!CustomResourceRows.isServed(origin)) {
      return List.of();
    }
    // an array of its own: that of the cache may hold other values, too
    Bytes own = Bytes.wrap(entry.value().array());
    CustomResource resource =
        new CustomResource(
            name,
            origin.map("metadata").text("uid"),
            origin.map("metadata").get("generation") instanceof Node.Int(long number) ? number : 0,
            entry.createRevision(),
            () -> codec.decode(type, own).root());
    return rows.of(resource, origin).stream()
        .filter(row -> !builtInVersions.contains(GroupVersion.of(row.gvr())))
        // a status that names another resource serves nothing
        .filter(row -> (row.gvr().resource() + "." + row.gvr().group()).equals(name))
        .toList();
  }

  /** What the listener needs. */
  private static ApiObject state(MapNode whole, long revision) {
    ApiObject object = new ApiObject(whole);
    return object.withMeta(object.meta().withText("resourceVersion", Long.toString(revision)));
  }

  /** What rows depend on: the fields that they are made of, and the generation for the schemas. */
  private static MapNode origin(MapNode whole) {
    MapNode metadata = whole.map("metadata");
    return MapNode.builder(3)
        .put(
            "metadata",
            MapNode.builder(4)
                .put("uid", Node.text(metadata.text("uid")))
                .put(
                    "generation",
                    metadata.get("generation") instanceof Node.Int number
                        ? number
                        : new Node.Int(0))
                .put("deletionTimestamp", Node.text(metadata.text("deletionTimestamp")))
                .build())
        .put("spec", CustomResourceRows.withoutSchemas(whole.map("spec")))
        .put("status", CustomResourceRows.decisive(whole.map("status")))
        .build();
  }

  private static String name(Entry entry) {
    String key = entry.key().utf8();
    return key.substring(key.lastIndexOf('/') + 1);
  }

  @Override
  public void close() {
    loop.close();
    reflector.close();
  }
}
