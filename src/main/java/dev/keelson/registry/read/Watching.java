package dev.keelson.registry.read;

import dev.keelson.registry.Collection;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.read.WatchQuery.Start;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.watch.Cacher;
import dev.keelson.watch.EventStream;
import dev.keelson.watch.IndexValue;
import dev.keelson.watch.StoreEvents;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens watches: on the cache of the type if its history reaches back far enough, else on the
 * store.
 */
public final class Watching {

  private final RevisionedStore store;
  private final ObjectStates states;
  private final ObjectCodec codec;
  private final CustomWatches custom;

  /** Watches of the types of {@code catalog}, which end with their type. */
  public Watching(
      RevisionedStore store, ObjectStates states, ObjectCodec codec, ResourceCatalog catalog) {
    this.store = store;
    this.states = states;
    this.codec = codec;
    this.custom = new CustomWatches(catalog);
    catalog.onChange(custom);
  }

  /**
   * Begins a watch.
   *
   * @param wake is run, on any thread, when there is more to poll; must not block
   */
  public ObjectWatch watch(Collection collection, WatchQuery query, Runnable wake) {
    CustomResourceVersion version = collection.definition().custom();
    if (version == null || !version.resource().isConvertedByWebhook()) {
      return open(collection, query, wake);
    }
    ConvertedWatch watch = new ConvertedWatch(wake);
    watch.start(open(collection, query, watch::wake), collection.definition().gvr().toString());
    return watch;
  }

  private ObjectWatch open(Collection collection, WatchQuery query, Runnable wake) {
    ListQuery selection = FieldLabelConversion.convert(collection.definition(), query.selection());
    ObjectMatcher matcher = new ObjectMatcher(collection, selection, codec);
    KeyRange range = Reading.range(states, collection, selection);
    return switch (query.start()) {
      case Start.Objects objects -> {
        ObjectState state = states.state(collection.type(), objects.state());
        yield begin(
            collection,
            range,
            state.revision(),
            initial(collection, state, range, matcher),
            matcher,
            wake);
      }
      case Start.Now _ -> {
        long revision = states.state(collection.type(), ReadVersion.ANY).revision();
        yield begin(collection, range, revision, Collections.emptyIterator(), matcher, wake);
      }
      case Start.After after -> {
        long revision = after.revision();
        long created = created(collection.definition());
        if (revision < created) {
          yield new ExpiredWatch(revision, created);
        }
        long unused =
            states.state(collection.type(), new ReadVersion.NotOlderThan(revision)).revision();
        yield begin(collection, range, revision, Collections.emptyIterator(), matcher, wake);
      }
    };
  }

  /**
   * The revision at which the history of a type begins; 0 for a built-in type. What was stored
   * before the definition of a custom type belongs to one that was deleted.
   */
  private static long created(ResourceDefinition definition) {
    @Nullable CustomResourceVersion version = definition.custom();
    return version == null ? 0 : version.resource().created();
  }

  private ObjectWatch begin(
      Collection collection,
      KeyRange range,
      long revision,
      Iterator<StoredObject> initial,
      ObjectMatcher matcher,
      Runnable wake) {
    EventStream stream = stream(collection.type(), range, matcher.indexValue(), revision, wake);
    @Nullable Cacher cache = states.cache(collection.type()).orElse(null);
    ResourceDefinition definition = collection.definition();
    ObjectWatch watch = new CacheWatch(definition, initial, revision, stream, matcher, cache);
    return definition.custom() == null ? watch : custom.open(definition, watch, wake);
  }

  private EventStream stream(
      StoredType type,
      KeyRange range,
      @Nullable IndexValue indexValue,
      long revision,
      Runnable wake) {
    @Nullable Cacher cache = states.cache(type).orElse(null);
    if (cache != null) {
      Optional<EventStream> events = cache.watch(range, indexValue, revision, wake);
      if (events.isPresent()) {
        return events.get();
      }
    }
    return StoreEvents.open(store, range, indexValue, revision, cache, wake);
  }

  /** The objects of a state; those of a cached one are read as the client takes them. */
  private Iterator<StoredObject> initial(
      Collection collection, ObjectState state, KeyRange range, ObjectMatcher matcher) {
    Iterator<StoredObject> objects =
        new MatchingObjects(
            collection.definition(), state.iterator(matcher.indexValue(), range), matcher);
    if (state.inMemory()) {
      return objects;
    }
    List<StoredObject> all = new ArrayList<>();
    objects.forEachRemaining(all::add);
    return all.iterator();
  }
}
