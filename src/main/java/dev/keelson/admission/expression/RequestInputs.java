package dev.keelson.admission.expression;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.cel.admission.Activation.Inputs;
import dev.keelson.cel.admission.Activation.RequestResource;
import dev.keelson.cel.library.CelAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the inputs of expressions of a request. */
public final class RequestInputs {

  /** The metadata of a Namespace that expressions see. */
  private static final Set<String> NAMESPACE_METADATA =
      Set.of(
          "name",
          "generateName",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "labels",
          "annotations",
          "finalizers");

  private RequestInputs() {}

  /**
   * The inputs for a policy or webhook that matches a request.
   *
   * @param resource the resource by which it matches
   * @param kind the kind in whose version the objects are
   * @param namespace the namespace of the request; null if there is none
   */
  public static Inputs of(
      AdmissionAttributes call,
      GroupVersionResource resource,
      GroupVersionKind kind,
      Supplier<@Nullable ApiObject> namespace,
      CelAuthorizer authorizer) {
    return new Inputs(
        root(call.objectIn(kind)),
        root(call.currentIn(kind)),
        () -> request(call, resource, kind),
        () -> visible(namespace.get()),
        authorizer,
        new RequestResource(
            call.definition().gvr().group(),
            call.definition().gvr().resource(),
            call.subresource(),
            call.namespace(),
            call.name()));
  }

  /**
   * The inputs for the match conditions of a policy or webhook. As in Kubernetes they see the
   * resource of the request, even if another one matches, and no namespace.
   *
   * @param kind the kind in whose version the objects are
   */
  public static Inputs ofConditions(
      AdmissionAttributes call, GroupVersionKind kind, CelAuthorizer authorizer) {
    return of(call, call.definition().gvr(), kind, () -> null, authorizer);
  }

  private static @Nullable MapNode root(@Nullable ApiObject object) {
    return object == null ? null : object.root();
  }

  private static @Nullable MapNode visible(@Nullable ApiObject namespace) {
    if (namespace == null) {
      return null;
    }
    MapNode.Builder metadata = MapNode.builder(NAMESPACE_METADATA.size());
    namespace
        .meta()
        .node()
        .forEach(
            (field, value) -> {
              if (NAMESPACE_METADATA.contains(field)) {
                metadata.put(field, value);
              }
            });
    return MapNode.builder(3)
        .put("metadata", metadata.build())
        .put("spec", namespace.root().map("spec"))
        .put("status", namespace.root().map("status"))
        .build();
  }

  /**
   * The AdmissionRequest (admission.k8s.io) without its uid and its objects, which expressions see
   * elsewhere; empty optional fields are absent.
   *
   * @param resource what {@code resource} names
   * @param kind the kind in whose version a policy or webhook gets the objects
   */
  public static MapNode request(
      AdmissionAttributes call, GroupVersionResource resource, GroupVersionKind kind) {
    MapNode.Builder request = MapNode.builder(12);
    request.put("kind", kind(kind));
    request.put("resource", resource(resource));
    put(request, "subResource", call.subresource());
    request.put("requestKind", kind(call.kind()));
    request.put("requestResource", resource(call.definition().gvr()));
    put(request, "requestSubResource", call.subresource());
    put(request, "name", call.name());
    put(request, "namespace", call.namespace());
    request.put("operation", Node.text(call.operation().name()));
    request.put("userInfo", user(call.user()));
    request.put("dryRun", Node.Bool.of(call.dryRun()));
    MapNode options = call.options();
    request.put("options", options.isEmpty() ? Node.Null.NULL : options);
    return request.build();
  }

  private static void put(MapNode.Builder request, String field, String text) {
    if (!text.isEmpty()) {
      request.put(field, Node.text(text));
    }
  }

  private static MapNode kind(GroupVersionKind kind) {
    return MapNode.builder(3)
        .put("group", Node.text(kind.group()))
        .put("version", Node.text(kind.version()))
        .put("kind", Node.text(kind.kind()))
        .build();
  }

  private static MapNode resource(GroupVersionResource resource) {
    return MapNode.builder(3)
        .put("group", Node.text(resource.group()))
        .put("version", Node.text(resource.version()))
        .put("resource", Node.text(resource.resource()))
        .build();
  }

  private static MapNode user(UserInfo user) {
    MapNode.Builder info = MapNode.builder(4);
    put(info, "username", user.name());
    put(info, "uid", user.uid());
    if (!user.groups().isEmpty()) {
      info.put("groups", Node.texts(user.groups()));
    }
    if (!user.extra().isEmpty()) {
      MapNode.Builder extra = MapNode.builder(user.extra().size());
      user.extra().forEach((key, values) -> extra.put(key, Node.texts(values)));
      info.put("extra", extra.build());
    }
    return info.build();
  }
}
