package dev.keelson.authz.rbac;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.PolicyRule;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.authz.UnionAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prevents privilege escalation: the writer of a role must hold its rules or be allowed to {@code
 * escalate}; the writer of a binding must hold the rules of its role or be allowed to {@code bind}
 * it (source: Kubernetes' registry/rbac, policybased storage).
 */
public final class EscalationCheck {

  /** The API group of roles and bindings. */
  public static final String GROUP = "rbac.authorization.k8s.io";

  /** Rights to escalate and to bind do not depend on the version of the request. */
  private static final String VERSION = "*";

  private final Authorizer authorizer;
  private final RbacAuthorizer roles;

  /**
   * @param authorizer authorizes the verbs escalate and bind
   * @param roles resolves the rules that users hold, even if RBAC is not an authorization mode
   */
  public EscalationCheck(Authorizer authorizer, RbacAuthorizer roles) {
    this.authorizer = authorizer;
    this.roles = roles;
  }

  /**
   * Checks a write of a role or binding.
   *
   * @param resource the plural
   * @param name the name in the path of the request; empty for a POST
   * @param object the object to store
   * @param current the stored object; null for a create
   * @throws ApiException Forbidden if it grants rules that the user does not hold, NotFound if it
   *     binds a role that does not exist
   */
  public void check(
      String resource, String name, UserInfo user, ApiObject object, @Nullable ApiObject current) {
    if (user.groups().contains(UnionAuthorizer.MASTERS)
        || (current != null && onlyOwnership(object, current))) {
      return;
    }
    if (resource.equals("roles") || resource.equals("clusterroles")) {
      checkRole(resource, name, user, object, current);
    } else {
      checkBinding(resource, user, object);
    }
  }

  /**
   * Whether only fields of garbage collection change (source: {@code IsOnlyMutatingGCFields}). Any
   * other change, even of a label, checks the whole object: labels can add a role to an aggregated
   * one.
   */
  private static boolean onlyOwnership(ApiObject object, ApiObject current) {
    return compared(object).equals(compared(current));
  }

  private static ApiObject compared(ApiObject object) {
    return object.withMeta(
        object
            .meta()
            .without("ownerReferences")
            .without("finalizers")
            .without("managedFields")
            .without("resourceVersion"));
  }

  private void checkRole(
      String resource, String name, UserInfo user, ApiObject object, @Nullable ApiObject current) {
    String namespace = object.meta().namespace();
    List<PolicyRule> wanted = RuleEvaluation.of(object.root());
    boolean aggregated =
        object.root().has("aggregationRule")
            || (current != null && current.root().has("aggregationRule"));
    if (may(user, "escalate", resource, namespace, name)) {
      return;
    }
    GroupResource which = new GroupResource(GROUP, resource);
    String refused = confirm(user, namespace, wanted);
    if (!refused.isEmpty()) {
      throw ApiException.forbidden(which, object.meta().name(), refused);
    }
    if (aggregated
        && !confirm(user, namespace, List.of(PolicyRule.ALL_RESOURCES, PolicyRule.ALL_PATHS))
            .isEmpty()) {
      throw ApiException.forbidden(
          which,
          object.meta().name(),
          "must have cluster-admin privileges to use the aggregationRule");
    }
  }

  private void checkBinding(String resource, UserInfo user, ApiObject object) {
    String namespace = object.meta().namespace();
    String kind = object.root().map("roleRef").text("kind");
    String name = object.root().map("roleRef").text("name");
    boolean role = kind.equals("Role");
    if (!role && !kind.equals("ClusterRole")) {
      // validation rejects other kinds
      return;
    }
    if (may(user, "bind", role ? "roles" : "clusterroles", namespace, name)) {
      return;
    }
    List<PolicyRule> wanted =
        roles
            .rulesOf(new Grant.RoleRef(kind, role ? namespace : "", name))
            .orElseThrow(
                () ->
                    ApiException.notFound(
                        new GroupResource(GROUP, role ? "roles" : "clusterroles"), name));
    String refused = confirm(user, namespace, wanted);
    if (!refused.isEmpty()) {
      throw ApiException.forbidden(
          new GroupResource(GROUP, resource), object.meta().name(), refused);
    }
  }

  private boolean may(UserInfo user, String verb, String resource, String namespace, String name) {
    return authorizer
        .authorize(
            new Attributes(
                user,
                verb,
                Attributes.Resource.of(
                    new GroupResource(GROUP, resource), VERSION, namespace, name)))
        .allowed();
  }

  /** Returns the error message if the user does not hold {@code wanted}, else empty. */
  private String confirm(UserInfo user, String namespace, List<PolicyRule> wanted) {
    ResolvedRules held = roles.rules(user, namespace);
    List<PolicyRule> missing = RuleCoverage.missing(held.rules(), wanted);
    if (missing.isEmpty()) {
      return "";
    }
    String text =
        "user \""
            + user.name()
            + "\" (groups="
            + RuleCoverage.quoted(new ArrayList<>(user.groups()))
            + ") is attempting to grant RBAC permissions not currently held:\n"
            + RuleCoverage.text(missing);
    return held.error().isEmpty() ? text : text + "; resolution errors: [" + held.error() + "]";
  }
}
