package dev.keelson.admission;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Names;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.Subresource;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a write (source: apiserver's {@code admission.Attributes}). Objects are in the
 * version in which the registry handles them, {@link #handledKind()}.
 *
 * @param operation CREATE, UPDATE, DELETE or CONNECT; a patch is an UPDATE or a CREATE
 * @param definition the resource in the version of the request, also for a subresource
 * @param subresource the subresource, or empty
 * @param namespace empty for cluster-scoped objects, but for a Namespace its own name
 * @param name empty if it is to be generated, and for each object of a deletecollection
 * @param object the object to store, or the options of a CONNECT; null for a delete
 * @param current the stored object; null for a create
 * @param request what all objects of the request share
 * @param reinvocation what plugins tell each other about a second pass
 */
public record AdmissionAttributes(
    Verb operation,
    ResourceDefinition definition,
    String subresource,
    String namespace,
    String name,
    @Nullable ApiObject object,
    @Nullable ApiObject current,
    AdmissionRequest request,
    ReinvocationContext reinvocation) {

  private static final Set<String> UNSHOWN = Set.of("kind", "apiVersion", "force");
  private static final String META_VERSION = "meta.k8s.io/v1";

  /** The attributes of a write that has not been admitted yet. */
  public AdmissionAttributes(
      Verb operation,
      ResourceDefinition definition,
      String subresource,
      String namespace,
      String name,
      @Nullable ApiObject object,
      @Nullable ApiObject current,
      AdmissionRequest request) {
    this(
        operation,
        definition,
        subresource,
        namespace,
        name,
        object,
        current,
        request,
        new ReinvocationContext());
  }

  /** The user of the request. */
  public UserInfo user() {
    return request.user();
  }

  /** Whether the write is a dry run. */
  public boolean dryRun() {
    return request.dryRun();
  }

  /** Takes warnings for the client. */
  public Consumer<String> warnings() {
    return request.warnings();
  }

  /**
   * Adds an annotation to the audit events of the request. Keys come from webhooks and policies as
   * well: one that is not a DNS subdomain, a slash and a name is left out, as in kube-apiserver.
   */
  public void annotate(String key, String value) {
    if (key.indexOf('/') >= 0 && Names.qualifiedName(key).isEmpty()) {
      request.annotations().annotate(key, value);
    }
  }

  /**
   * The kind that is admitted, in the version of the request: that of the resource, or of the
   * subresource where it differs (Scale, Binding, Eviction, PodExecOptions).
   */
  public GroupVersionKind kind() {
    Subresource part = definition.subresources().get(subresource);
    return part == null ? definition.gvk() : part.kind();
  }

  /** The kind that {@code object} and {@code current} have. */
  public GroupVersionKind handledKind() {
    GroupVersionKind kind = kind();
    StoredType storage = definition.storage();
    return storage == null || !kind.equals(definition.gvk()) ? kind : storage.kind();
  }

  /** The object in a version of its kind; null for a delete. */
  public @Nullable ApiObject objectIn(GroupVersionKind version) {
    return in(object, version);
  }

  /** The stored object in a version of its kind; null for a create. */
  public @Nullable ApiObject currentIn(GroupVersionKind version) {
    return in(current, version);
  }

  private @Nullable ApiObject in(@Nullable ApiObject which, GroupVersionKind version) {
    return which == null ? null : request.versions().convert(which, handledKind(), version);
  }

  /** The options object with its type; empty for CONNECT, which has none. */
  public MapNode options() {
    return switch (operation) {
      case CREATE -> typed("CreateOptions");
      case UPDATE -> typed("UpdateOptions");
      case DELETE -> typed("DeleteOptions");
      case PATCH, CONNECT, GET, LIST, WATCH, DELETE_COLLECTION -> MapNode.EMPTY;
    };
  }

  private MapNode typed(String kind) {
    // a patch becomes an update or a create, which have no force
    MapNode.Builder options = MapNode.builder(2 + request.options().size());
    options.put("kind", Node.text(kind)).put("apiVersion", Node.text(META_VERSION));
    request
        .options()
        .forEach(
            (field, value) -> {
              if (!UNSHOWN.contains(field)) {
                options.put(field, value);
              }
            });
    return options.build();
  }

  /** Returns these attributes with another object. */
  public AdmissionAttributes withObject(ApiObject next) {
    return new AdmissionAttributes(
        operation, definition, subresource, namespace, name, next, current, request, reinvocation);
  }

  /** Returns these attributes with the ownership that completes their object. */
  public AdmissionAttributes owning(FieldOwnership ownership) {
    return new AdmissionAttributes(
        operation,
        definition,
        subresource,
        namespace,
        name,
        object,
        current,
        request.owning(ownership),
        reinvocation);
  }

  /** The object as those outside of the server see it, with its {@code managedFields}. */
  public ApiObject recorded(ApiObject seen) {
    return request.ownership().recorded(seen);
  }

  /** Returns these attributes with the name that the object has by now, if they have none. */
  public AdmissionAttributes named(ApiObject next) {
    AdmissionAttributes same = withObject(next);
    return name.isEmpty()
        ? new AdmissionAttributes(
            operation,
            definition,
            subresource,
            namespace,
            next.meta().name(),
            next,
            current,
            request,
            reinvocation)
        : same;
  }

  /** The name for messages: that of the object, or what it is to be generated from. */
  public String shownName() {
    if (!name.isEmpty()) {
      return name;
    }
    ApiObject sent = object;
    if (sent == null) {
      return "Unknown";
    }
    ObjectMeta meta = sent.meta();
    if (!meta.name().isEmpty()) {
      return meta.name();
    }
    return meta.generateName().isEmpty() ? "Unknown" : meta.generateName();
  }

  /** An error of reason Forbidden about the object (source: {@code admission.NewForbidden}). */
  public ApiException forbidden(String why) {
    return ApiException.forbidden(definition.groupResource(), shownName(), why);
  }

  /** Whether the write is of a resource of the API, in any version; also of its subresources. */
  public boolean concerns(String group, String resource) {
    return definition.gvr().group().equals(group) && definition.gvr().resource().equals(resource);
  }
}
