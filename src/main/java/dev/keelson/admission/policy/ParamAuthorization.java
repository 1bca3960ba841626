package dev.keelson.admission.policy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Requires that the writer of a policy may read objects of its {@code paramKind}, and the writer of
 * a binding those of its {@code paramRef} (source: the strategies of
 * pkg/registry/admissionregistration, authz.go). Passes all writes on to the rest of the chain.
 */
public final class ParamAuthorization implements Admission {

  private static final String MASTERS = "system:masters";
  private static final String ANY = "*";

  private final ClusterObjects objects;
  private final ResourceCatalog catalog;
  private final Authorizer authorizer;
  private final Admission rest;

  /** A check before the validating phase of {@code rest}. */
  public ParamAuthorization(
      ClusterObjects objects, ResourceCatalog catalog, Authorizer authorizer, Admission rest) {
    this.objects = objects;
    this.catalog = catalog;
    this.authorizer = authorizer;
    this.rest = rest;
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    return rest.mutate(call, object);
  }

  @Override
  public void mutateDelete(AdmissionAttributes call) {
    rest.mutateDelete(call);
  }

  @Override
  public void validate(AdmissionAttributes call) {
    GroupVersionResource resource = call.definition().gvr();
    ApiObject object = call.object();
    if (resource.group().equals(PolicySource.Kind.GROUP)
        && object != null
        && call.subresource().isEmpty()
        && !call.user().groups().contains(MASTERS)) {
      switch (resource.resource()) {
        case "validatingadmissionpolicies", "mutatingadmissionpolicies" -> policy(call, object);
        case "validatingadmissionpolicybindings" ->
            binding(call, object, "validatingadmissionpolicies");
        case "mutatingadmissionpolicybindings" ->
            binding(call, object, "mutatingadmissionpolicies");
        default -> {
          // has no parameters
        }
      }
    }
    rest.validate(call);
  }

  private void policy(AdmissionAttributes call, ApiObject object) {
    MapNode kind = object.root().map("spec").map("paramKind");
    if (kind.isEmpty() || kind.equals(current(call).map("paramKind"))) {
      return;
    }
    Target target = target(kind);
    if (!allows(call.user(), "get", target, ANY, ANY)) {
      throw refusal(
          call,
          "spec.paramKind",
          "user "
              + shown(call.user())
              + " must have \"get\" permission on all objects of the referenced paramKind (kind="
              + kind.text("kind")
              + ", apiVersion="
              + kind.text("apiVersion")
              + ")");
    }
  }

  private void binding(AdmissionAttributes call, ApiObject object, String policies) {
    MapNode spec = object.root().map("spec");
    MapNode before = current(call);
    MapNode ref = spec.map("paramRef");
    String name = spec.text("policyName");
    if (ref.isEmpty()
        || (ref.equals(before.map("paramRef")) && name.equals(before.text("policyName")))) {
      return;
    }
    Optional<ApiObject> policy =
        objects.find(new GroupVersionResource(PolicySource.Kind.GROUP, "v1", policies), "", name);
    MapNode kind =
        policy.map(found -> found.root().map("spec").map("paramKind")).orElse(MapNode.EMPTY);
    Target target = kind.isEmpty() ? Target.ANYTHING : target(kind);
    String verb = ref.text("name").isEmpty() ? "list" : "get";
    if (allows(call.user(), verb, target, ref.text("namespace"), ref.text("name"))) {
      return;
    }
    String everywhere =
        " to determine minimum required permissions and user "
            + shown(call.user())
            + " does not have \""
            + verb
            + "\" permission for all groups, versions and resources";
    throw refusal(
        call,
        "spec.paramRef",
        policy.isEmpty()
            ? "unable to get policy " + name + everywhere
            : !kind.isEmpty() && target.resource.equals(ANY)
                ? "unable to resolve paramKind &{"
                    + kind.text("apiVersion")
                    + " "
                    + kind.text("kind")
                    + "}"
                    + everywhere
                : "user "
                    + shown(call.user())
                    + " does not have \""
                    + verb
                    + "\" permission on the object referenced by paramRef");
  }

  private static MapNode current(AdmissionAttributes call) {
    ApiObject current = call.current();
    return current == null ? MapNode.EMPTY : current.root().map("spec");
  }

  /** What is to be read. */
  private record Target(String group, String version, String resource) {
    static final Target ANYTHING = new Target(ANY, ANY, ANY);
  }

  private Target target(MapNode kind) {
    String apiVersion = kind.text("apiVersion");
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    String version = apiVersion.substring(slash + 1);
    return new Target(
        group,
        version,
        catalog
            .current()
            .find(new GroupVersionKind(group, version, kind.text("kind")))
            .map(ResourceDefinition::gvr)
            .map(GroupVersionResource::resource)
            .orElse(ANY));
  }

  private boolean allows(UserInfo user, String verb, Target target, String namespace, String name) {
    return authorizer
        .authorize(
            new Attributes(
                user,
                verb,
                new Attributes.Resource(
                    target.group, target.version, target.resource, "", namespace, name, "", "")))
        .allowed();
  }

  /** A user as Go prints the struct. */
  private static String shown(UserInfo user) {
    String extra =
        user.extra().entrySet().stream()
            .map(entry -> entry.getKey() + ":[" + String.join(" ", entry.getValue()) + "]")
            .sorted()
            .collect(Collectors.joining(" "));
    return "&{"
        + user.name()
        + " "
        + user.uid()
        + " ["
        + String.join(" ", user.groups())
        + "] map["
        + extra
        + "]}";
  }

  private static ApiException refusal(AdmissionAttributes call, String field, String why) {
    return ApiException.invalid(
        call.definition().gvk(), call.name(), List.of(FieldCause.forbidden(field, why)));
  }
}
