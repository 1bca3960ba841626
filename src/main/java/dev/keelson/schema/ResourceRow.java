package dev.keelson.schema;

import static dev.keelson.api.Verb.CONNECT;
import static dev.keelson.api.Verb.GET;
import static dev.keelson.api.Verb.PATCH;
import static dev.keelson.api.Verb.UPDATE;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.schema.ResetFields.FieldFilter;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link ResourceDefinition}: begins with the common case; each method sets a column that
 * differs. The rows of the built-in resources are in {@link BuiltInResources}; a custom resource
 * yields a row of the same kind. Used by one thread.
 *
 * <p>The common case has every verb of a stored object, is stored under its plural, named by a DNS
 * subdomain, may be updated without a resourceVersion, does not count generations, has no field
 * labels of its own, and its dependents are deleted with it.
 */
public final class ResourceRow {

  private static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");

  private final GroupVersion version;
  private final String plural;
  private final String kind;
  private final Scope scope;
  private final Set<Verb> verbs;
  private List<String> shortNames = List.of();
  private List<String> categories = List.of();
  private String singular;
  private String listKind;
  private @Nullable String keyPrefix;
  private GroupVersion storageVersion;
  private final Map<String, Subrow> subresources = new LinkedHashMap<>();
  private NameRule nameRule = NameRule.DNS_SUBDOMAIN;
  private boolean generation;
  private boolean unconditionalUpdate = true;
  private boolean createOnUpdate;
  private boolean statusOnCreate;
  private boolean strategicMerge = true;
  private final Map<String, List<String>> labels = new LinkedHashMap<>();
  private boolean namespaceLabel = true;
  private Map<String, String> labelAliases = Map.of();
  private String unsupportedLabel = "";
  private UnaryOperator<ResetFields> resetFields = UnaryOperator.identity();
  private GarbageCollectionPolicy garbageCollection = GarbageCollectionPolicy.DELETE_DEPENDENTS;
  private String deletionWarning = "";
  private Map<String, String> impliedAnnotations = Map.of();
  private String deprecationWarning = "";

  private record Subrow(GroupVersionKind kind, Set<Verb> verbs) {}

  /** Resolves the schemas and stored types that a row names. */
  public interface Types {
    /** The schema of a type; does not load its fields. */
    StructSchema schema(GroupVersionKind kind);

    /** The one stored type under a key prefix; made on the first call. */
    StoredType stored(String keyPrefix, GroupVersionKind kind);

    /** The stored type under a key prefix for the version {@code served}. */
    default StoredType stored(String keyPrefix, GroupVersionKind kind, GroupVersionKind served) {
      return stored(keyPrefix, kind);
    }
  }

  /**
   * A row.
   *
   * @param version the group and version that serves the resource
   */
  public ResourceRow(
      GroupVersion version, String plural, String kind, Scope scope, Set<Verb> verbs) {
    this.version = version;
    this.plural = plural;
    this.kind = kind;
    this.scope = scope;
    this.verbs = verbs;
    this.keyPrefix = plural;
    this.storageVersion = version;
    this.singular = kind.toLowerCase(Locale.ROOT);
    this.listKind = kind + "List";
  }

  /** What kubectl accepts for the resource. */
  public ResourceRow shortNames(String... names) {
    shortNames = List.of(names);
    return this;
  }

  /** Groupings that kubectl resolves, for example {@code all}. */
  public ResourceRow categories(String... names) {
    categories = List.of(names);
    return this;
  }

  /** A singular that is not the kind in lower case. */
  public ResourceRow singular(String name) {
    singular = name;
    return this;
  }

  /** A kind of lists that is not the kind with {@code List}. */
  public ResourceRow listKind(String name) {
    listKind = name;
    return this;
  }

  /** Stored under a prefix that is not the plural. */
  public ResourceRow keys(String prefix) {
    keyPrefix = prefix;
    return this;
  }

  /** Stored in another version than the one that is served. */
  public ResourceRow storedAs(GroupVersion storedVersion) {
    storageVersion = storedVersion;
    return this;
  }

  /** Nothing is stored: the request is answered from elsewhere. */
  public ResourceRow virtual() {
    keyPrefix = null;
    return this;
  }

  /** What names must look like. */
  public ResourceRow named(NameRule rule) {
    nameRule = rule;
    return this;
  }

  /** {@code metadata.generation} counts changes of the desired state. */
  public ResourceRow generation() {
    generation = true;
    return this;
  }

  /** An update must name the resourceVersion that it replaces. */
  public ResourceRow conditionalUpdate() {
    unconditionalUpdate = false;
    return this;
  }

  /** An update of a missing object creates it. */
  public ResourceRow createOnUpdate() {
    createOnUpdate = true;
    return this;
  }

  /** A new object keeps the status that was sent. */
  public ResourceRow statusOnCreate() {
    statusOnCreate = true;
    return this;
  }

  /** No strategic merge patches: the schema has no merge keys. */
  public ResourceRow withoutStrategicMerge() {
    strategicMerge = false;
    return this;
  }

  /** Field labels that are the dotted JSON paths of the fields. */
  public ResourceRow selectable(String... fields) {
    for (String field : fields) {
      labels.put(field, List.of(field));
    }
    return this;
  }

  /** A field label that is not the path of its field; see {@link FieldLabels#paths}. */
  public ResourceRow selectableAt(String label, String... paths) {
    labels.put(label, List.of(paths));
    return this;
  }

  /** A former name of a field label. */
  public ResourceRow formerLabel(String former, String label) {
    labelAliases = Map.of(former, label);
    return this;
  }

  /** {@code metadata.namespace} is no field label. */
  public ResourceRow withoutNamespaceLabel() {
    namespaceLabel = false;
    return this;
  }

  /** The error for an unknown field label, in which {@code %s} is replaced by it. */
  public ResourceRow unsupportedLabel(String message) {
    unsupportedLabel = message;
    return this;
  }

  /** Fields of the metadata that a status update leaves as they are. */
  public ResourceRow statusKeepsMetadata(String... fields) {
    return resetting(reset -> reset.withStatusMetadata(List.of(fields)));
  }

  /** A status update leaves labels, annotations, finalizers and owner references as they are. */
  public ResourceRow statusKeepsAllMetadata() {
    return resetting(ResetFields::withAllStatusMetadata);
  }

  /** An update of the main resource leaves the spec as it is. */
  public ResourceRow updateKeepsSpec() {
    return resetting(ResetFields::withSpecOnUpdate);
  }

  /** Writes through a subresource change only certain fields. */
  ResourceRow changes(String subresource, FieldFilter fields) {
    return resetting(reset -> reset.withPart(subresource, fields));
  }

  private ResourceRow resetting(UnaryOperator<ResetFields> more) {
    UnaryOperator<ResetFields> before = resetFields;
    resetFields = reset -> more.apply(before.apply(reset));
    return this;
  }

  /** How dependents are treated by default. */
  public ResourceRow garbageCollection(GarbageCollectionPolicy policy) {
    garbageCollection = policy;
    return this;
  }

  /** The warning for a delete without a propagation policy. */
  public ResourceRow deletionWarning(String warning) {
    deletionWarning = warning;
    return this;
  }

  /** An annotation that field management assumes where the client left it out. */
  public ResourceRow impliedAnnotation(String key, String value) {
    impliedAnnotations = Map.of(key, value);
    return this;
  }

  /**
   * Deprecates the version.
   *
   * @param since the release of Kubernetes that deprecated it
   * @param until the release that removed it, or empty
   * @param replacement the type to use, or empty
   */
  public ResourceRow deprecated(String since, String until, String replacement) {
    return deprecated(
        version.kind(kind).apiVersion()
            + " "
            + kind
            + " is deprecated in "
            + since
            + "+"
            + (until.isEmpty() ? "" : ", unavailable in " + until + "+")
            + (replacement.isEmpty() ? "" : "; use " + replacement));
  }

  /** Deprecates the version, with the warning for each use. */
  public ResourceRow deprecated(String warning) {
    deprecationWarning = warning;
    return this;
  }

  /** A sub-path that reads and writes a part of the object. */
  public ResourceRow part(String name) {
    return sub(name, version.kind(kind), GET, PATCH, UPDATE);
  }

  /** The status has a subresource; the main resource leaves it alone. */
  public ResourceRow status() {
    return part("status");
  }

  /** The number of replicas, as {@code autoscaling/v1} shows it. */
  public ResourceRow scale() {
    return scale(SCALE);
  }

  /** The number of replicas, as a kind of Scale shows it. */
  public ResourceRow scale(GroupVersionKind scaleKind) {
    return sub("scale", scaleKind, GET, PATCH, UPDATE);
  }

  /** A sub-path that takes and answers a kind. */
  public ResourceRow sub(String name, GroupVersionKind subKind, Verb... subVerbs) {
    subresources.put(name, new Subrow(subKind, EnumSet.copyOf(List.of(subVerbs))));
    return this;
  }

  /** A sub-path that opens a stream or passes requests on, for each of the methods' verbs. */
  public ResourceRow connect(String name, String optionsKind, Verb... methodVerbs) {
    Set<Verb> all = EnumSet.of(CONNECT, methodVerbs);
    subresources.put(name, new Subrow(version.kind(optionsKind), all));
    return this;
  }

  /** The definition that the row describes. */
  public ResourceDefinition definition(Types types) {
    Map<String, Subresource> subs = new LinkedHashMap<>();
    subresources.forEach(
        (name, row) ->
            subs.put(name, new Subresource(name, row.kind, row.verbs, types.schema(row.kind))));
    return new ResourceDefinition(
        version.resource(plural),
        kind,
        listKind,
        singular,
        scope,
        verbs,
        shortNames,
        categories,
        types.schema(version.kind(kind)),
        keyPrefix == null
            ? null
            : types.stored(keyPrefix, storageVersion.kind(kind), version.kind(kind)),
        subs,
        new ResourceDefinition.Behaviour(
            nameRule,
            generation,
            unconditionalUpdate,
            createOnUpdate,
            statusOnCreate,
            strategicMerge,
            fieldLabels(),
            resetFields.apply(
                subresources.containsKey("status") ? ResetFields.STATUS_OR_SPEC : ResetFields.NONE),
            garbageCollection,
            deletionWarning,
            impliedAnnotations),
        deprecationWarning);
  }

  private FieldLabels fieldLabels() {
    if (labels.isEmpty() && namespaceLabel && unsupportedLabel.isEmpty()) {
      return FieldLabels.COMMON;
    }
    String message = labels.isEmpty() ? FieldLabels.UNKNOWN : FieldLabels.UNSUPPORTED;
    return new FieldLabels(
        labels,
        namespaceLabel,
        labelAliases,
        unsupportedLabel.isEmpty() ? message : unsupportedLabel);
  }
}
