package dev.keelson.schema;

import static dev.keelson.api.Verb.CONNECT;
import static dev.keelson.api.Verb.GET;
import static dev.keelson.api.Verb.PATCH;
import static dev.keelson.api.Verb.UPDATE;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@link BuiltInResources}: begins as the common case and takes what differs. Used while
 * the table is built, by one thread.
 *
 * <p>The common case is stored under its plural, named by a DNS subdomain, may be replaced without
 * a resourceVersion and does not count generations.
 */
final class ResourceRow {

  private static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");

  private final GroupVersion version;
  private final String plural;
  private final String kind;
  private final Scope scope;
  private final Set<Verb> verbs;
  private List<String> shortNames = List.of();
  private List<String> categories = List.of();
  private @Nullable String keyPrefix;
  private GroupVersion storageVersion;
  private final Map<String, Subrow> subresources = new LinkedHashMap<>();
  private NameRule nameRule = NameRule.DNS_SUBDOMAIN;
  private boolean generation;
  private boolean unconditionalUpdate = true;
  private boolean createOnUpdate;
  private final List<String> selectableFields = new ArrayList<>();

  private record Subrow(GroupVersionKind kind, Set<Verb> verbs) {}

  /** Where a row finds what it only names. */
  interface Types {
    /** The shape of a type; its fields are not loaded by asking. */
    StructSchema schema(GroupVersionKind kind);

    /** The one stored type under a key prefix; made on the first call. */
    StoredType stored(String keyPrefix, GroupVersionKind kind);
  }

  ResourceRow(GroupVersion version, String plural, String kind, Scope scope, Set<Verb> verbs) {
    this.version = version;
    this.plural = plural;
    this.kind = kind;
    this.scope = scope;
    this.verbs = verbs;
    this.keyPrefix = plural;
    this.storageVersion = version;
  }

  ResourceRow shortNames(String... names) {
    shortNames = List.of(names);
    return this;
  }

  ResourceRow category(String category) {
    categories = List.of(category);
    return this;
  }

  /** Stored under a prefix that is not the plural. */
  ResourceRow keys(String prefix) {
    keyPrefix = prefix;
    return this;
  }

  /** Stored in another version than the one that is served. */
  ResourceRow storedAs(GroupVersion storedVersion) {
    storageVersion = storedVersion;
    return this;
  }

  /** Nothing is stored: the request is answered from elsewhere. */
  ResourceRow virtual() {
    keyPrefix = null;
    return this;
  }

  ResourceRow named(NameRule rule) {
    nameRule = rule;
    return this;
  }

  /** {@code metadata.generation} counts changes of the desired state. */
  ResourceRow generation() {
    generation = true;
    return this;
  }

  /** A replace must name the resourceVersion that it replaces. */
  ResourceRow conditionalUpdate() {
    unconditionalUpdate = false;
    return this;
  }

  /** A replace of a missing object creates it. */
  ResourceRow createOnUpdate() {
    createOnUpdate = true;
    return this;
  }

  ResourceRow selectable(String... fields) {
    selectableFields.addAll(List.of(fields));
    return this;
  }

  /** A sub-path that reads and writes a part of the object. */
  ResourceRow part(String name) {
    return sub(name, version.kind(kind), GET, PATCH, UPDATE);
  }

  ResourceRow status() {
    return part("status");
  }

  ResourceRow scale() {
    return scale(SCALE);
  }

  ResourceRow scale(GroupVersionKind scaleKind) {
    return sub("scale", scaleKind, GET, PATCH, UPDATE);
  }

  ResourceRow sub(String name, GroupVersionKind subKind, Verb... subVerbs) {
    subresources.put(name, new Subrow(subKind, EnumSet.copyOf(List.of(subVerbs))));
    return this;
  }

  /** A sub-path that opens a stream or passes requests on, for each of the methods' verbs. */
  ResourceRow connect(String name, String optionsKind, Verb... methodVerbs) {
    Set<Verb> all = EnumSet.of(CONNECT, methodVerbs);
    subresources.put(name, new Subrow(version.kind(optionsKind), all));
    return this;
  }

  ResourceDefinition definition(Types types) {
    Map<String, Subresource> subs = new LinkedHashMap<>();
    subresources.forEach(
        (name, row) ->
            subs.put(name, new Subresource(name, row.kind, row.verbs, types.schema(row.kind))));
    return new ResourceDefinition(
        version.resource(plural),
        kind,
        kind.toLowerCase(Locale.ROOT),
        scope,
        verbs,
        shortNames,
        categories,
        types.schema(version.kind(kind)),
        keyPrefix == null ? null : types.stored(keyPrefix, storageVersion.kind(kind)),
        subs,
        new ResourceDefinition.Behaviour(
            nameRule, generation, unconditionalUpdate, createOnUpdate, true, selectableFields));
  }
}
