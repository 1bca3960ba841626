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
 * Keeps users from granting more than they have: whoever writes a role must hold what it allows, or
 * may {@code escalate}; whoever writes a binding must hold what its role allows, or may {@code
 * bind} that role (source: Kubernetes' registry/rbac, policybased storage).
 */
public final class EscalationCheck {

  /** The group of roles and bindings. */
  public static final String GROUP = "rbac.authorization.k8s.io";

  private static final String VERSION = "v1";

  private final Authorizer authorizer;
  private final RbacAuthorizer roles;

  /**
   * A check.
   *
   * @param authorizer decides whether someone may escalate or bind
   * @param roles knows what users hold by roles, whether or not roles decide anything else
   */
  public EscalationCheck(Authorizer authorizer, RbacAuthorizer roles) {
    this.authorizer = authorizer;
    this.roles = roles;
  }

  /**
   * Checks a write of one of the four kinds.
   *
   * @param resource its plural
   * @param object as it is to be stored
   * @param current as it is stored; null for a create
   * @throws ApiException of reason Forbidden if it grants too much, NotFound if it binds a role
   *     that does not exist
   */
  public void check(String resource, UserInfo user, ApiObject object, @Nullable ApiObject current) {
    if (user.groups().contains(UnionAuthorizer.MASTERS)
        || (current != null && onlyOwnership(object, current))) {
      return;
    }
    if (resource.equals("roles") || resource.equals("clusterroles")) {
      checkRole(resource, user, object, current);
    } else {
      checkBinding(resource, user, object);
    }
  }

  /**
   * Whether nothing changes but what garbage collection must be able to change. Any other change,
   * even of a label, makes the writer answer for the whole: by its labels a role can become part of
   * another.
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
      String resource, UserInfo user, ApiObject object, @Nullable ApiObject current) {
    String namespace = object.meta().namespace();
    List<PolicyRule> wanted = RuleEvaluation.of(object.root());
    boolean aggregated =
        object.root().has("aggregationRule")
            || (current != null && current.root().has("aggregationRule"));
    String name = current == null ? "" : object.meta().name();
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
      // the rules of the type tell what is wrong with it
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

  /** What speaks against granting {@code wanted}; empty if the user holds it all. */
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
