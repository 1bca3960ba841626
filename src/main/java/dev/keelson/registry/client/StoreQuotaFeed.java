package dev.keelson.registry.client;

import dev.keelson.api.GroupResource;
import dev.keelson.client.ObjectAddress;
import dev.keelson.client.QuotaFeed;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.Entry;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the changes that quotas depend on from the stream that feeds the watch cache. Without a
 * quota, a change costs a comparison of its key; nothing is decoded on the stream's thread.
 */
public final class StoreQuotaFeed implements QuotaFeed {

  private final WatchCache cache;
  private final ResourceCatalog catalog;
  private final ObjectCodec codec;
  private final StoredType quotas;
  private final Bytes prefix;
  private final KeyParser keys;

  /**
   * Not yet following.
   *
   * @param quotas the stored type of ResourceQuotas
   */
  public StoreQuotaFeed(
      WatchCache cache,
      KeyLayout layout,
      ResourceCatalog catalog,
      ObjectCodec codec,
      StoredType quotas) {
    this.cache = cache;
    this.catalog = catalog;
    this.codec = codec;
    this.quotas = quotas;
    this.prefix = layout.range(quotas, "").start();
    this.keys = new KeyParser(catalog, layout);
  }

  @Override
  public void follow(Listener listener) {
    catalog.onChange(
        (before, after, change) -> {
          Set<GroupResource> added =
              change.added().stream()
                  .map(ResourceDefinition::groupResource)
                  .collect(Collectors.toSet());
          if (!added.isEmpty()) {
            listener.typesAdded(added);
          }
        });
    cache.observe(
        new WatchCache.Observer() {
          @Override
          public void changed(List<Change> changes) {
            for (Change change : changes) {
              deliver(change, listener);
            }
          }

          @Override
          public void lost() {
            listener.lost();
          }
        });
  }

  private void deliver(Change change, Listener listener) {
    if (change.key().startsWith(prefix)) {
      deliverQuota(change, listener);
    }
    if (listener.follows() && !isCreate(change)) {
      keys.place(change.key())
          .filter(place -> listener.follows(place.address().namespace()))
          .ifPresent(place -> deliverObject(change, place, listener));
    }
  }

  private void deliverQuota(Change change, Listener listener) {
    String rest = change.key().utf8().substring(prefix.utf8().length());
    int slash = rest.indexOf('/');
    if (slash < 0) {
      return;
    }
    listener.quotaChanged(
        rest.substring(0, slash),
        rest.substring(slash + 1),
        () ->
            change instanceof Change.Put put
                ? Optional.of(withRevision(quotas, put.entry()))
                : Optional.empty());
  }

  private static boolean isCreate(Change change) {
    return change instanceof Change.Put put
        && put.entry().createRevision() == put.entry().modRevision();
  }

  private void deliverObject(Change change, KeyParser.Place place, Listener listener) {
    ObjectAddress address = place.address();
    StoredType type = place.type();
    switch (change) {
      case Change.Delete _ -> listener.deleted(address.resource(), address.namespace());
      case Change.Put put -> {
        if (type != null && listener.followsUpdates(address.resource())) {
          listener.updated(address.resource(), address.namespace(), new Decoded(codec, type, put));
        }
      }
    }
  }

  private record Decoded(ObjectCodec codec, StoredType type, Change.Put change) implements Update {
    @Override
    public Optional<ApiObject> before() {
      return Optional.ofNullable(change.previous()).map(entry -> codec.decode(type, entry.value()));
    }

    @Override
    public ApiObject after() {
      return codec.decode(type, change.entry().value());
    }
  }

  private ApiObject withRevision(StoredType type, Entry entry) {
    ApiObject object = codec.decode(type, entry.value());
    return object.withMeta(
        object.meta().withText("resourceVersion", Long.toString(entry.modRevision())));
  }
}
