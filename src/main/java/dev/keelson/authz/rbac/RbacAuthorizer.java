package dev.keelson.authz.rbac;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.EvaluationErrors;
import dev.keelson.authz.PolicyRule;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Allows requests that match a rule of a role bound to the user or to one of the user's groups;
 * never denies. Decides in memory and reflects every write that this server has answered.
 */
public final class RbacAuthorizer implements Authorizer {

  private final RoleSource source;
  private final RoleIndex index = new RoleIndex();

  public RbacAuthorizer(RoleSource source) {
    this.source = source;
  }

  @Override
  public Decision authorize(Attributes attributes) {
    source.catchUp(index);
    Judge judge = new Judge(attributes);
    String namespace =
        attributes.target() instanceof Attributes.Resource target ? target.namespace() : "";
    index.visit(attributes.user(), namespace, judge);
    if (judge.found != null) {
      return new Decision.Allow(judge.found.reason());
    }
    return judge.errors.isEmpty()
        ? Decision.NoOpinion.PLAIN
        : new Decision.NoOpinion(
            "RBAC: " + EvaluationErrors.aggregate(new ArrayList<>(judge.errors)), "");
  }

  private final class Judge implements RoleIndex.Visitor {
    private final Attributes asked;
    private final Set<String> errors = new LinkedHashSet<>(0);
    private @Nullable Grant found;

    Judge(Attributes asked) {
      this.asked = asked;
    }

    @Override
    public boolean see(Grant grant) {
      Optional<List<PolicyRule>> rules = index.rules(grant.role());
      if (rules.isEmpty()) {
        errors.add(missing(grant.role()));
        return true;
      }
      for (PolicyRule rule : rules.get()) {
        if (RuleEvaluation.allows(rule, asked)) {
          found = grant;
          return false;
        }
      }
      return true;
    }
  }

  @Override
  public ResolvedRules rules(UserInfo user, String namespace) {
    source.catchUp(index);
    List<PolicyRule> all = new ArrayList<>();
    Set<String> errors = new LinkedHashSet<>();
    index.visit(
        user,
        namespace,
        grant -> {
          index
              .rules(grant.role())
              .ifPresentOrElse(all::addAll, () -> errors.add(missing(grant.role())));
          return true;
        });
    return new ResolvedRules(all, /* incomplete= */ false, new ArrayList<>(errors));
  }

  /** Returns the rules of a role; empty if it does not exist. */
  Optional<List<PolicyRule>> rulesOf(Grant.RoleRef role) {
    source.catchUp(index);
    return index.rules(role);
  }

  /**
   * Returns the rules that the RoleBindings of one namespace grant to {@code user};
   * ClusterRoleBindings are ignored.
   */
  public List<PolicyRule> grantedIn(UserInfo user, String namespace) {
    source.catchUp(index);
    List<PolicyRule> all = new ArrayList<>();
    index.visitBindingsIn(
        user,
        namespace,
        grant -> {
          index.rules(grant.role()).ifPresent(all::addAll);
          return true;
        });
    return all;
  }

  /** Returns every cluster role. */
  Collection<ApiObject> clusterRoles() {
    source.catchUp(index);
    return index.clusterRoles();
  }

  private static String missing(Grant.RoleRef role) {
    String resource = role.kind().equals("Role") ? "role" : "clusterrole";
    return resource + ".rbac.authorization.k8s.io \"" + role.name() + "\" not found";
  }
}
