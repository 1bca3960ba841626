package dev.keelson.authz.abac;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.PolicyRule;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Allows requests that match at least one ABAC policy; never denies. */
public final class AbacAuthorizer implements Authorizer {

  private final List<Policy> policies;

  private AbacAuthorizer(List<Policy> policies) {
    this.policies = List.copyOf(policies);
  }

  /**
   * Parses a policy file with one policy per line: a JSON object or seven comma-separated values.
   * Skips empty lines and lines that begin with {@code #}.
   *
   * @param json parses a JSON object; throws a RuntimeException if it is malformed
   * @throws IllegalArgumentException naming the invalid line
   */
  public static AbacAuthorizer parse(String text, Function<String, MapNode> json) {
    List<Policy> policies = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\\R", -1)) {
      number++;
      String policy = line.strip();
      if (policy.isEmpty() || policy.startsWith("#")) {
        continue;
      }
      try {
        policies.add(
            policy.startsWith("{") ? Policy.of(json.apply(policy)) : Policy.of(cells(policy)));
      } catch (RuntimeException e) {
        throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
      }
    }
    return new AbacAuthorizer(policies);
  }

  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    for (String cell : line.split(",", -1)) {
      String plain = cell.strip();
      boolean quoted = plain.length() > 1 && plain.startsWith("\"") && plain.endsWith("\"");
      cells.add(quoted ? plain.substring(1, plain.length() - 1) : plain);
    }
    return cells;
  }

  @Override
  public Decision authorize(Attributes attributes) {
    for (Policy policy : policies) {
      if (policy.allows(attributes)) {
        return Decision.Allow.PLAIN;
      }
    }
    return new Decision.NoOpinion("No policy matched.", "");
  }

  @Override
  public ResolvedRules rules(UserInfo user, String namespace) {
    List<PolicyRule> rules = new ArrayList<>();
    for (Policy policy : policies) {
      if (policy.concerns(user) && Policy.matches(policy.namespace(), namespace)) {
        List<String> verbs = policy.readonly() ? List.of("get", "list", "watch") : List.of("*");
        if (!policy.resource().isEmpty()) {
          rules.add(
              new PolicyRule(
                  verbs,
                  List.of(policy.apiGroup()),
                  List.of(policy.resource()),
                  List.of(),
                  List.of()));
        }
        if (!policy.path().isEmpty()) {
          rules.add(new PolicyRule(verbs, List.of(), List.of(), List.of(), List.of(policy.path())));
        }
      }
    }
    return new ResolvedRules(rules, /* incomplete= */ false, List.of());
  }
}
