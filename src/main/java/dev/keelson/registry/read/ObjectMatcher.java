package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.LabelRequirement;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Collection;
import dev.keelson.registry.Initializers;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.read.ListQuery.Uninitialized;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.Declaration;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.stored.StoredPath;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.watch.CacheEvent;
import dev.keelson.watch.Index;
import dev.keelson.watch.IndexValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether objects match a selection. Without conditions nothing is decoded; an event is decoded at
 * most once for all its watchers.
 */
final class ObjectMatcher {

  /** The most objects of a call of a conversion webhook. */
  static final int MAX_OBJECTS = 250;

  /** The size of stored values after which a call of a conversion webhook is made. */
  static final int MAX_BYTES = 1 << 20;

  /** Which of an event's two objects is meant. */
  enum Side {
    BEFORE,
    AFTER
  }

  private final ResourceDefinition definition;
  private final StoredType type;
  private final ListQuery query;
  private final ObjectCodec codec;

  /** Where the values of the selection's field labels are. */
  private final Map<String, Location> locations = new HashMap<>();

  /**
   * Where the value of a field label is.
   *
   * @param paths the dotted JSON paths in the version of the collection
   * @param stored the only one of them in the stored bytes, or null if it may not be there
   */
  private record Location(List<String> paths, @Nullable StoredPath stored) {}

  ObjectMatcher(Collection collection, ListQuery query, ObjectCodec codec) {
    this.definition = collection.definition();
    this.type = collection.type();
    this.query = query;
    this.codec = codec;
    for (FieldSelector.Term term : query.fields().terms()) {
      String label = term.field();
      List<String> paths =
          definition.behaviour().fieldLabels().paths().getOrDefault(label, List.of(label));
      boolean inBytes =
          label.startsWith("metadata.")
              || (paths.size() == 1 && codec.servesStoredShape(definition));
      locations.put(
          label,
          new Location(
              paths, inBytes ? StoredPath.of(type.written().schema(), paths.getFirst()) : null));
    }
  }

  /** Whether every object matches. */
  boolean matchesAll() {
    return query.isEverything();
  }

  /** Whether an object of an event, which must have it, matches. */
  boolean matches(CacheEvent event, Side side) {
    if (query.isEverything()) {
      return true;
    }
    Entry entry = Objects.requireNonNull(side == Side.BEFORE ? event.before() : event.after());
    return matches(inspect(event, side, entry));
  }

  private SelectableObject inspect(CacheEvent event, Side side, Entry entry) {
    return event.derive(key(side), () -> inspect(entry.value()));
  }

  /** What the objects of an event are derived by: versions of a custom resource differ. */
  private Object key(Side side) {
    return type.storageVersion() == null ? side : new VersionSide(type.kind(), side);
  }

  private record VersionSide(GroupVersionKind kind, Side side) {}

  /**
   * Converts the objects of events that a watcher is about to see and that need a webhook, in one
   * call; the results are shared with other watchers of the version.
   *
   * @throws ApiException if the conversion fails
   */
  void convert(List<CacheEvent> events) {
    List<CacheEvent> waiting = new ArrayList<>();
    List<Side> sides = new ArrayList<>();
    List<Bytes> values = new ArrayList<>();
    for (CacheEvent event : events) {
      for (Side side : Side.values()) {
        Entry entry = side == Side.BEFORE ? event.before() : event.after();
        boolean seen = side == Side.AFTER || event.after() == null || !query.isEverything();
        if (entry != null
            && seen
            && codec.needsWebhook(type, entry.value())
            && inspect(event, side, entry).treeIfRead() == null) {
          waiting.add(event);
          sides.add(side);
          values.add(entry.value());
        }
      }
    }
    if (!values.isEmpty()) {
      List<ApiObject> trees = decode(values);
      for (int i = 0; i < trees.size(); i++) {
        Entry entry =
            sides.get(i) == Side.BEFORE ? waiting.get(i).before() : waiting.get(i).after();
        inspect(waiting.get(i), sides.get(i), Objects.requireNonNull(entry)).read(trees.get(i));
      }
    }
  }

  /** The converted object of an event; null if it needed no webhook. */
  @Nullable ApiObject converted(CacheEvent event, Side side) {
    Entry entry = Objects.requireNonNull(side == Side.BEFORE ? event.before() : event.after());
    return codec.needsWebhook(type, entry.value()) ? inspect(event, side, entry).tree() : null;
  }

  /** Whether reading objects may need a webhook. */
  boolean mayNeedWebhook() {
    CustomResourceVersion version = definition.custom();
    return version != null && version.resource().isConvertedByWebhook();
  }

  /** A stored object, of which nothing has been read yet. */
  SelectableObject inspect(Bytes value) {
    return new SelectableObject(type, value, codec);
  }

  /** A stored object with its tree, if that is known. */
  SelectableObject inspect(Bytes value, @Nullable ApiObject tree) {
    return new SelectableObject(type, value, codec, tree);
  }

  /** Whether a value must be converted by a webhook before anything is known of it. */
  boolean needsWebhook(Bytes value) {
    return codec.needsWebhook(type, value);
  }

  /** The objects of several values, converted in calls of a bounded size. */
  List<ApiObject> decode(List<Bytes> values) {
    List<ApiObject> objects = new ArrayList<>(values.size());
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < values.size(); i++) {
      bytes += values.get(i).length();
      if (i + 1 == values.size() || i + 1 - from == MAX_OBJECTS || bytes >= MAX_BYTES) {
        objects.addAll(codec.decode(type, values.subList(from, i + 1)));
        from = i + 1;
        bytes = 0;
      }
    }
    return objects;
  }

  /** Whether a stored object matches. */
  boolean matches(SelectableObject object) {
    return (query.uninitialized() == Uninitialized.SHOWN
            || !Initializers.pending(object.tree().meta()))
        && (query.labels().isEverything() || query.labels().matches(object.labels()))
        && (query.fields().isEverything()
            || query.fields().matches(label -> value(object, location(label))));
  }

  /**
   * An index value that every matching object has; null if the selection requires none. A field is
   * more selective than a label, so it comes first.
   */
  @Nullable IndexValue indexValue() {
    if (definition.convertedByWebhook()) {
      // labels and fields of stored values may be others
      return null;
    }
    for (FieldSelector.Term term : query.fields().terms()) {
      Location location = location(term.field());
      // the feed of the cache, which computes indexes, must not wait for a webhook
      boolean indexed = !mayNeedWebhook() || term.field().startsWith("metadata.");
      if (indexed && location.stored() != null && !term.negated() && !term.value().isEmpty()) {
        return new IndexValue(fieldIndex(term.field(), location), term.value());
      }
    }
    for (LabelRequirement requirement : query.labels().requirements()) {
      if (requirement.operator() == LabelRequirement.Operator.IN
          && requirement.values().size() == 1) {
        String value = requirement.values().iterator().next();
        if (!value.isEmpty()) {
          return new IndexValue(labelIndex(requirement.key()), value);
        }
      }
    }
    return null;
  }

  private Location location(String label) {
    return Objects.requireNonNull(locations.get(label), label);
  }

  private String value(SelectableObject object, Location location) {
    return object.field(definition, location.paths(), location.stored());
  }

  private Index fieldIndex(String label, Location location) {
    return new Index("field " + label + shape(), readable(object -> value(object, location)));
  }

  /** What tells indexes apart that were made before and after a schema filled in other values. */
  private String shape() {
    Declaration declaration = type.written().schema().declaration();
    return declaration == null ? "" : new String(declaration.mark(), StandardCharsets.US_ASCII);
  }

  private Index labelIndex(String key) {
    return new Index(Index.LABEL + key, readable(object -> object.storedLabels().get(key)));
  }

  /**
   * An index function for the thread that feeds the cache: an object that cannot be decoded has no
   * value, and a read of it reports the error.
   */
  private Function<Bytes, @Nullable String> readable(
      Function<SelectableObject, @Nullable String> reader) {
    return value -> {
      try {
        return reader.apply(inspect(value));
      } catch (ApiException damaged) {
        return null;
      }
    };
  }
}
