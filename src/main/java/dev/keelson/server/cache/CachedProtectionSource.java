package dev.keelson.server.cache;

import dev.keelson.controller.storage.ProtectionSource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Supplies attributes classes, claims and volumes from the watch cache, and pods from the registry.
 */
public final class CachedProtectionSource implements ProtectionSource {

  private final Reflectors<Kind> types;
  private final WatchCache cache;
  private final GenericRegistry registry;
  private final ResourceDefinition pods;
  private final Bytes podKeys;

  /**
   * @param types attributes classes, claims and volumes
   * @param pods the resource of pods
   */
  public CachedProtectionSource(
      Reflectors<Kind> types,
      WatchCache cache,
      KeyLayout layout,
      GenericRegistry registry,
      ResourceDefinition pods) {
    this.types = types;
    this.cache = cache;
    this.registry = registry;
    this.pods = pods;
    this.podKeys = layout.range(Collection.storedType(pods), "").start();
  }

  @Override
  public void listen(Runnable changed) {
    Runnable unused = types.listen(changed);
  }

  @Override
  public void catchUp(ObjectSink<Kind> sink) {
    types.catchUp(sink);
  }

  @Override
  public void listenToPods(Consumer<String> changed) {
    cache.observe(
        new WatchCache.Observer() {
          @Override
          public void changed(List<Change> changes) {
            for (Change change : changes) {
              if (change.key().startsWith(podKeys)) {
                changed.accept(namespace(change.key()));
              }
            }
          }

          @Override
          public void lost() {
            changed.accept("");
          }
        });
  }

  private String namespace(Bytes key) {
    String rest = key.utf8().substring(podKeys.utf8().length());
    int slash = rest.indexOf('/');
    return slash < 0 ? "" : rest.substring(0, slash);
  }

  @Override
  public List<Supplier<ApiObject>> pods(String namespace) {
    return registry
        .list(
            new Collection(pods, namespace), ListQuery.ALL, new ListPage(ReadVersion.NEWEST, 0, ""))
        .all()
        .stream()
        .<Supplier<ApiObject>>map(stored -> () -> registry.served(stored))
        .toList();
  }
}
