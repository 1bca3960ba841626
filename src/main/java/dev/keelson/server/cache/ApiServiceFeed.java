package dev.keelson.server.cache;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.aggregation.AutoRegistration;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.json.Excerpt;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * Follows the APIServices of the store, and registers the group versions that this server serves.
 * The APIServices are known when {@link #start} returns; the missing ones are written afterwards,
 * on a thread of its own.
 */
public final class ApiServiceFeed implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(ApiServiceFeed.class);

  private static final Excerpt FIELDS = Excerpt.of(ApiService.FIELDS);

  /** Deletions wait for a moment; without any, a turn reads two volatile fields. */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final ResourceCatalog catalog;
  private final ApiServices services;
  private final AutoRegistration registration;
  private final ObjectCodec codec;
  private final StoredType type;
  private final Reflector reflector;
  private final Reader reader = new Reader();
  private final ControllerLoop loop = ControllerLoop.every("api-services", INTERVAL, this::turn);

  /** Guards what is read; no other lock is taken under it. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Names of what this server serves otherwise than at the last read. */
  private final Set<String> origins = ConcurrentHashMap.newKeySet();

  /** Names that have changed since the last turn; guarded by the lock. */
  private final Set<String> changed = new LinkedHashSet<>();

  private volatile boolean woken = true;
  private boolean unregistered = true;

  /**
   * Not yet following.
   *
   * @param services is told of the APIServices
   * @param type the stored APIServices
   */
  public ApiServiceFeed(
      ResourceCatalog catalog,
      ApiServices services,
      AutoRegistration registration,
      StoredType type,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec) {
    this.catalog = catalog;
    this.services = services;
    this.registration = registration;
    this.codec = codec;
    this.type = type;
    KeyRange keys = layout.range(type, "");
    this.reflector = new Reflector(type, cache.type(keys.start()), keys, this::wake);
  }

  /** Reads all APIServices, then follows them on a thread. */
  public void start() {
    catalog.onChange(
        (before, after, change) -> {
          if (before.versionsGeneration() != after.versionsGeneration()) {
            for (GroupVersion version : change.versions()) {
              if (origin(before, version) != origin(after, version)) {
                origins.add(ApiService.nameOf(version));
              }
            }
            wake();
          }
        });
    read();
    loop.start();
  }

  private void wake() {
    woken = true;
    loop.signal();
  }

  private void turn() {
    if (woken || unregistered) {
      woken = false;
      unregistered = true;
      unregistered = registration.run(read());
    }
  }

  /** Reads what has changed; returns the names. */
  private Collection<String> read() {
    lock.lock();
    try {
      // before the catalog is read: what changes later is in the next turn
      Set<String> taken = Set.copyOf(origins);
      origins.removeAll(taken);
      changed.addAll(taken);
      reflector.read(reader);
      ResourceCatalog.Snapshot served = catalog.snapshot();
      services.publish(version -> origin(served, version), changed);
      Collection<String> read = List.copyOf(changed);
      changed.clear();
      return read;
    } finally {
      lock.unlock();
    }
  }

  private static ApiServices.Origin origin(ResourceCatalog.Snapshot served, GroupVersion version) {
    List<ResourceDefinition> resources = served.resources(version);
    if (resources.isEmpty()) {
      return ApiServices.Origin.NOT_SERVED;
    }
    return resources.getFirst().custom() == null
        ? ApiServices.Origin.BUILT_IN
        : ApiServices.Origin.CUSTOM;
  }

  /** Passes what the reflector reads to the APIServices. */
  private final class Reader implements Reflector.Reader {

    @Override
    public void clear() {
      services.all().forEach(service -> changed.add(service.name()));
      services.clear();
    }

    @Override
    public void put(Entry entry) {
      try {
        changed.add(name(entry));
        services.put(ApiService.of(object(entry.value()), Long.toString(entry.modRevision())));
      } catch (ApiException damaged) {
        // a damaged APIService is treated as absent; reading it reports the error
        LOG.warnf("event=object-unreadable key=%s error=%s", entry.key(), damaged.text());
        remove(entry);
      }
    }

    @Override
    public void remove(Entry last) {
      changed.add(name(last));
      services.remove(name(last));
    }
  }

  private static String name(Entry entry) {
    String key = entry.key().utf8();
    return key.substring(key.lastIndexOf('/') + 1);
  }

  private ApiObject object(Bytes value) {
    Excerpt.Found found = FIELDS.read(value.backing(), value.offset(), value.end());
    return found == null ? codec.decode(type, value) : new ApiObject(found.root());
  }

  @Override
  public void close() {
    loop.close();
    reflector.close();
  }
}
