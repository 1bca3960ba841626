package dev.keelson.registry.fieldmanager;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.Timestamps;
import dev.keelson.registry.WriteOptions;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.apply.ConfigurationCheck;
import dev.keelson.schema.apply.ManagedEntry.Id;
import dev.keelson.schema.apply.Managers;
import dev.keelson.schema.apply.Ownership;
import dev.keelson.schema.apply.Versions;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tracks field ownership for every kind (source: Kubernetes' field managers): the manager of a
 * write owns the fields that it changes. Clients may edit or reset the entries; malformed entries
 * are ignored. Objects without entries are not tracked until the first apply.
 */
public final class StructuredMergeManager implements FieldManager {

  private static final String ENTRIES = "managedFields";
  private static final String BEFORE_FIRST_APPLY = "before-first-apply";

  private final ResourceCatalog catalog;
  private final ObjectCodec codec;
  private final InstantSource clock;

  /**
   * Tracks the objects of a catalog.
   *
   * @param clock the time of changes to a set
   */
  public StructuredMergeManager(ResourceCatalog catalog, ObjectCodec codec, InstantSource clock) {
    this.catalog = catalog;
    this.codec = codec;
    this.clock = clock;
  }

  @Override
  public ApiObject recordCreate(
      ResourceDefinition definition, ApiObject object, WriteOptions options) {
    Managers managers = sent(object).orElseGet(Managers::none);
    MapNode empty = MapNode.EMPTY;
    return recorded(definition, "", object, empty, managers, options);
  }

  @Override
  public ApiObject recordSent(
      ResourceDefinition definition, String subresource, ApiObject object, WriteOptions options) {
    ApiObject bare = without(object);
    Managers managers = sent(object).orElseGet(Managers::none);
    rules(definition, subresource)
        .update(
            managers,
            unsent(definition),
            bare.root(),
            Id.update(options.fieldManager(), definition.gvk().apiVersion(), subresource),
            new Timestamps(clock).now());
    return managers.isEmpty() ? bare : bare.withMeta(bare.meta().with(ENTRIES, managers.tree()));
  }

  /** An object with the fields alone that are always there. */
  private static MapNode unsent(ResourceDefinition definition) {
    try {
      return ObjectReader.converted(
              MapNode.EMPTY, MapNode.EMPTY, definition.schema(), FieldValidation.IGNORE)
          .root();
    } catch (DecodeException e) {
      throw new IllegalStateException("an object without fields", e);
    }
  }

  @Override
  public ApiObject recordUpdate(
      ResourceDefinition definition,
      String subresource,
      ApiObject object,
      ApiObject current,
      WriteOptions options) {
    Managers managers = managers(subresource, object, current);
    return managers.isEmpty()
        ? without(object)
        : recorded(definition, subresource, object, without(current).root(), managers, options);
  }

  @Override
  public Optional<String> problem(List<Node> managedFields) {
    return ManagedFieldsCheck.problem(managedFields);
  }

  @Override
  public ApiObject apply(
      ResourceDefinition definition, ApiObject current, AppliedConfiguration configuration) {
    MapNode wanted = configuration.root();
    check(definition, wanted);
    ApiObject live = without(current);
    Managers managers = Managers.stored(current.meta().node().items(ENTRIES));
    String version = definition.gvk().apiVersion();
    String subresource = configuration.subresource();
    Ownership rules = rules(definition, subresource);
    String now = new Timestamps(clock).now();
    if (managers.isEmpty() && !live.root().isEmpty()) {
      Id others = Id.update(BEFORE_FIRST_APPLY, version, subresource);
      rules.update(managers, MapNode.EMPTY, live.root(), others, now);
    }
    Id manager = Id.apply(configuration.manager(), subresource);
    String time = timeless(subresource) ? "" : now;
    Ownership.Outcome outcome =
        rules.apply(managers, live.root(), wanted, manager, configuration.force(), time);
    if (outcome instanceof Ownership.Conflicted conflicted) {
      List<Ownership.Conflict> conflicts = conflicted.conflicts();
      if (configuration.manager().equals(LastApplied.MANAGER)) {
        conflicts = new ArrayList<>(conflicts);
        conflicts.removeAll(ownByAnnotation(definition, rules, live, conflicts));
      }
      if (!conflicts.isEmpty()) {
        throw ApplyConflicts.error(conflicts);
      }
      outcome = rules.apply(managers, live.root(), wanted, manager, true, time);
    }
    MapNode next =
        switch (outcome) {
          case Ownership.Applied applied -> applied.object();
          case Ownership.Conflicted _ ->
              throw new IllegalStateException("an apply with force met a conflict");
        };
    if (configuration.manager().equals(LastApplied.MANAGER)) {
      next = LastApplied.updated(next, wanted);
    }
    ApiObject object = new ApiObject(typed(definition, next, live.root(), wanted));
    return managers.isEmpty()
        ? object
        : object.withMeta(object.meta().with(ENTRIES, managers.tree()));
  }

  /**
   * Ignores conflicts over fields that are unchanged since kubectl's last client-side apply. A
   * configuration that could not be applied on the server owns nothing.
   */
  private static List<Ownership.Conflict> ownByAnnotation(
      ResourceDefinition definition,
      Ownership rules,
      ApiObject live,
      List<Ownership.Conflict> conflicts) {
    return LastApplied.of(live, definition.gvk().apiVersion())
        .filter(
            last ->
                last.text("kind").equals(definition.kind())
                    && ConfigurationCheck.of(definition.schema(), last).isEmpty())
        .map(last -> rules.unchangedSince(last, live.root()))
        .map(own -> conflicts.stream().filter(conflict -> conflict.isIn(own)).toList())
        .orElse(List.of());
  }

  private static void check(ResourceDefinition definition, MapNode configuration) {
    String apiVersion = configuration.text("apiVersion");
    String kind = configuration.text("kind");
    if (!apiVersion.equals(definition.gvk().apiVersion())
        || !kind.equals(definition.gvk().kind())) {
      throw ApiException.badRequest("invalid object type: " + shownType(apiVersion, kind));
    }
    Node entries = configuration.map("metadata").get(ENTRIES);
    if (entries != null && entries != Node.Null.NULL) {
      throw ApiException.badRequest("metadata.managedFields must be nil");
    }
    String problems = ConfigurationCheck.of(definition.schema(), configuration);
    if (!problems.isEmpty()) {
      throw new ApiException(
          Reason.UNKNOWN,
          "failed to create typed patch object (" + shown(configuration) + "): " + problems);
    }
  }

  /** Decodes the merged tree by the schema: drops nulls, adds fields that are always present. */
  private static MapNode typed(
      ResourceDefinition definition, MapNode merged, MapNode live, MapNode wanted) {
    try {
      return ObjectReader.converted(merged, live, definition.schema(), FieldValidation.IGNORE)
          .root();
    } catch (DecodeException e) {
      throw new ApiException(
          Reason.UNKNOWN,
          "failed to convert new object ("
              + shown(wanted)
              + ") to proper version: unable to convert unstructured object to "
              + shownType(definition.gvk().apiVersion(), definition.kind())
              + ": "
              + e.text(),
          ErrorDetails.NONE,
          e);
    }
  }

  private static String shown(MapNode object) {
    MapNode metadata = object.map("metadata");
    return metadata.text("namespace")
        + "/"
        + metadata.text("name")
        + "; "
        + shownType(object.text("apiVersion"), object.text("kind"));
  }

  private static String shownType(String apiVersion, String kind) {
    return (apiVersion.contains("/") ? apiVersion : "/" + apiVersion) + ", Kind=" + kind;
  }

  /** A subresource cannot edit the entries; the object itself can. */
  private static Managers managers(String subresource, ApiObject object, ApiObject current) {
    Node entries = object.meta().node().get(ENTRIES);
    List<Node> stored = current.meta().node().items(ENTRIES);
    if (subresource.isEmpty() && entries instanceof Node.Items items) {
      if (Managers.isReset(entries)) {
        return Managers.none();
      }
      if (!items.values().equals(stored)) {
        Optional<Managers> edited = sent(object).filter(managers -> !managers.isEmpty());
        if (edited.isPresent()) {
          return edited.get();
        }
      }
    }
    return Managers.stored(stored);
  }

  private static Optional<Managers> sent(ApiObject object) {
    return Managers.sent(object.meta().node().items(ENTRIES));
  }

  private ApiObject recorded(
      ResourceDefinition definition,
      String subresource,
      ApiObject object,
      MapNode live,
      Managers managers,
      WriteOptions options) {
    String version = definition.gvk().apiVersion();
    ApiObject bare = without(object);
    GroupVersionKind stored = new Collection(definition, "").type().kind();
    rules(definition, subresource)
        .update(
            managers,
            requested(live, stored, definition),
            withImplied(definition, requested(bare.root(), stored, definition)),
            Id.update(options.fieldManager(), version, subresource),
            timeless(subresource) ? "" : new Timestamps(clock).now());
    return managers.isEmpty() ? bare : bare.withMeta(bare.meta().with(ENTRIES, managers.tree()));
  }

  /**
   * Whether entries for writes through a subresource have no time: Kubernetes drops it when it
   * moves the managers of a Scale to the object that is scaled (ScaleHandler).
   */
  private static boolean timeless(String subresource) {
    return subresource.equals("scale");
  }

  /** A tree in the stored version in the version of the request. */
  private MapNode requested(MapNode root, GroupVersionKind stored, ResourceDefinition definition) {
    return root.isEmpty() || stored.equals(definition.gvk())
        ? root
        : codec.convert(new ApiObject(root), stored, definition.gvk()).root();
  }

  /** The rules for a write through {@code definition}, or a subresource of it. */
  Ownership rules(ResourceDefinition definition, String subresource) {
    return new Ownership(
        new ServedVersions(definition),
        definition.gvk().apiVersion(),
        definition.schema(),
        definition.behaviour().resetFields().filter(subresource));
  }

  static ApiObject without(ApiObject object) {
    return object.meta().node().has(ENTRIES)
        ? object.withMeta(object.meta().without(ENTRIES))
        : object;
  }

  /** The versions of the kind of one definition that the catalog serves. */
  private final class ServedVersions implements Versions {
    private final ResourceDefinition definition;

    ServedVersions(ResourceDefinition definition) {
      this.definition = definition;
    }

    @Override
    public @Nullable SchemaNode schema(String apiVersion) {
      if (apiVersion.equals(definition.gvk().apiVersion())) {
        return definition.schema();
      }
      GroupVersionKind kind = kind(apiVersion);
      return kind == null
          ? null
          : catalog.snapshot().find(kind).map(ResourceDefinition::schema).orElse(null);
    }

    @Override
    public MapNode convert(MapNode object, String from, String to) {
      GroupVersionKind source = kind(from);
      GroupVersionKind target = kind(to);
      if (source == null || target == null) {
        throw new IllegalArgumentException("no conversion from " + from + " to " + to);
      }
      return codec.convert(new ApiObject(object), source, target).root();
    }

    private @Nullable GroupVersionKind kind(String apiVersion) {
      try {
        return GroupVersion.parse(apiVersion).kind(definition.kind());
      } catch (IllegalArgumentException _) {
        // an apiVersion from a client's entry
        return null;
      }
    }
  }

  /** The tree, in the version of {@code definition}, with the annotations that it implies. */
  private static MapNode withImplied(ResourceDefinition definition, MapNode root) {
    MapNode whole = root;
    for (Map.Entry<String, String> implied :
        definition.behaviour().impliedAnnotations().entrySet()) {
      String[] path = {"metadata", "annotations", implied.getKey()};
      if (whole.at(path) == null) {
        whole = whole.withAt(List.of(path), Node.text(implied.getValue()));
      }
    }
    return whole;
  }
}
