package dev.keelson.schema;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A resource as one group and version serves it. Discovery, OpenAPI, the path matrix and
 * authorization read it.
 *
 * @param gvr where it is served
 * @param kind the kind of its objects
 * @param singular the lower-case singular
 * @param scope whether its objects live in a namespace
 * @param verbs what the main resource can do
 * @param shortNames what kubectl accepts for it
 * @param categories the groupings that it belongs to, for example {@code all}
 * @param schema the shape of its objects in this version
 * @param storage what is stored, or null for a virtual resource such as a review
 * @param subresources its sub-paths by name
 * @param behaviour how writes treat its objects
 */
public record ResourceDefinition(
    GroupVersionResource gvr,
    String kind,
    String singular,
    Scope scope,
    Set<Verb> verbs,
    List<String> shortNames,
    List<String> categories,
    StructSchema schema,
    @Nullable StoredType storage,
    Map<String, Subresource> subresources,
    Behaviour behaviour) {

  /**
   * How writes treat objects of a resource.
   *
   * @param nameRule what names must look like
   * @param generation whether {@code metadata.generation} counts changes of the desired state
   * @param unconditionalUpdate whether a replace without resourceVersion is allowed
   * @param createOnUpdate whether a replace of a missing object creates it
   * @param strategicMerge whether a strategic merge patch may be sent, for which the schema must
   *     have merge keys
   * @param selectableFields the field selectors beyond {@code metadata.name} and {@code
   *     metadata.namespace}: the name in the selector, which is the dotted JSON path in this
   *     version
   */
  public record Behaviour(
      NameRule nameRule,
      boolean generation,
      boolean unconditionalUpdate,
      boolean createOnUpdate,
      boolean strategicMerge,
      List<String> selectableFields) {
    public Behaviour {
      selectableFields = List.copyOf(selectableFields);
    }
  }

  public ResourceDefinition {
    verbs = Set.copyOf(verbs);
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    subresources = Map.copyOf(subresources);
  }

  /** Of the place alone: definitions are keys where every object of a list asks. */
  @Override
  public int hashCode() {
    return gvr.hashCode();
  }

  /** The type of its objects. */
  public GroupVersionKind gvk() {
    return new GroupVersionKind(gvr.group(), gvr.version(), kind);
  }

  public GroupResource groupResource() {
    return gvr.groupResource();
  }

  public boolean namespaced() {
    return scope == Scope.NAMESPACED;
  }
}
