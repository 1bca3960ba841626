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
 * A resource in one group and version: all its properties except the rules of single fields.
 * Discovery, OpenAPI, the endpoints, authorization and the registry read it. Made by a {@link
 * ResourceRow}.
 *
 * @param gvr where it is served
 * @param kind the kind of its objects
 * @param listKind the kind of its lists
 * @param singular the lower-case singular
 * @param scope whether its objects live in a namespace
 * @param verbs what the main resource can do
 * @param shortNames what kubectl accepts for it
 * @param categories the groupings that it belongs to, for example {@code all}
 * @param schema the shape of its objects in this version
 * @param storage what is stored, or null for a virtual resource such as a review
 * @param subresources its sub-paths by name
 * @param behaviour how reads and writes treat its objects
 * @param deprecationWarning the warning for each use (KEP-1693), or empty
 */
public record ResourceDefinition(
    GroupVersionResource gvr,
    String kind,
    String listKind,
    String singular,
    Scope scope,
    Set<Verb> verbs,
    List<String> shortNames,
    List<String> categories,
    StructSchema schema,
    @Nullable StoredType storage,
    Map<String, Subresource> subresources,
    Behaviour behaviour,
    String deprecationWarning) {

  /**
   * How reads and writes treat objects of a resource: the flags of kube-apiserver's strategy of the
   * type.
   *
   * @param nameRule what names must look like
   * @param generation whether {@code metadata.generation} counts changes of the desired state
   * @param unconditionalUpdate whether an update without resourceVersion is allowed
   * @param createOnUpdate whether an update of a missing object creates it
   * @param statusOnCreate whether a new object keeps the status that was sent, though the resource
   *     has a status subresource
   * @param strategicMerge whether a strategic merge patch may be sent, for which the schema must
   *     have merge keys
   * @param fieldLabels what field selectors may name
   * @param resetFields what writes leave as it is stored
   * @param garbageCollection how dependents are treated by default
   * @param deletionWarning the warning for a delete that leaves the dependents to {@code
   *     garbageCollection}, or empty
   * @param impliedAnnotations annotations, with their values, that field management assumes where
   *     the client left them out
   */
  public record Behaviour(
      NameRule nameRule,
      boolean generation,
      boolean unconditionalUpdate,
      boolean createOnUpdate,
      boolean statusOnCreate,
      boolean strategicMerge,
      FieldLabels fieldLabels,
      ResetFields resetFields,
      GarbageCollectionPolicy garbageCollection,
      String deletionWarning,
      Map<String, String> impliedAnnotations) {
    public Behaviour {
      impliedAnnotations = Map.copyOf(impliedAnnotations);
    }
  }

  public ResourceDefinition {
    verbs = Set.copyOf(verbs);
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    subresources = Map.copyOf(subresources);
  }

  /** By {@code gvr} alone: definitions are map keys on the path of every object of a list. */
  @Override
  public int hashCode() {
    return gvr.hashCode();
  }

  /** The type of its objects. */
  public GroupVersionKind gvk() {
    return new GroupVersionKind(gvr.group(), gvr.version(), kind);
  }

  /** What a CustomResourceDefinition says of it; null for a built-in resource. */
  public @Nullable CustomResourceVersion custom() {
    return CustomResourceVersion.of(schema);
  }

  /**
   * Whether its CustomResourceDefinition is being deleted: nothing can be created, and discovery
   * shows no verb that would, though all others are still served.
   */
  public boolean terminating() {
    return !verbs.contains(Verb.CREATE) && custom() != null;
  }

  /**
   * Whether a webhook converts the objects that are stored now to this version, which may change
   * all but their identity.
   */
  public boolean convertedByWebhook() {
    CustomResourceVersion version = custom();
    return version != null
        && storage != null
        && storage.storageVersion() != null
        && version.resource().isConvertedByWebhook();
  }

  public GroupResource groupResource() {
    return gvr.groupResource();
  }

  public boolean namespaced() {
    return scope == Scope.NAMESPACED;
  }
}
