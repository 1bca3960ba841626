package dev.keelson.authn.oidc;

import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.cel.Environment;
import dev.keelson.cel.EvaluationException;
import dev.keelson.cel.Expression;
import dev.keelson.cel.JsonValues;
import dev.keelson.cel.ValueType;
import dev.keelson.cel.ValueType.ListOf;
import dev.keelson.cel.ValueType.MapOf;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.request.UserInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The CEL expressions of a JWT authenticator (KEP-3331). Claim mappings and claim validation rules
 * use the variable {@code claims}, user validation rules use {@code user}.
 *
 * @param username computes the user name; null if a claim is mapped
 * @param groups computes the groups; null if a claim is mapped or there are none
 * @param uid computes the uid; null if a claim is mapped or there is none
 * @param extra computes the extra values of the user
 * @param claimRules the claim validation rules
 * @param userRules the user validation rules
 */
public record ClaimExpressions(
    @Nullable Expression username,
    @Nullable Expression groups,
    @Nullable Expression uid,
    List<Extra> extra,
    List<Rule> claimRules,
    List<Rule> userRules) {

  /** No expressions. */
  public static final ClaimExpressions NONE =
      new ClaimExpressions(null, null, null, List.of(), List.of(), List.of());

  /** The values of an extra key. */
  public record Extra(String key, Expression values) {}

  /**
   * A validation rule.
   *
   * @param message the message if the rule fails, or empty
   */
  public record Rule(Expression expression, String message) {}

  private static final String CLAIMS = "claims";
  private static final String USER = "user";

  public ClaimExpressions {
    extra = List.copyOf(extra);
    claimRules = List.copyOf(claimRules);
    userRules = List.copyOf(userRules);
  }

  /** Creates the environment of claim expressions. Expensive. */
  public static Environment claimEnvironment() {
    return new Environment(Map.of(CLAIMS, new MapOf(Simple.ANY)));
  }

  /** Creates the environment of user validation rules. Expensive. */
  public static Environment userEnvironment() {
    ValueType texts = new ListOf(Simple.TEXT);
    return new Environment(
        Map.of(
            USER,
            new ValueType.Struct(
                "kubernetes.UserInfo",
                Map.of(
                    "username",
                    Simple.TEXT,
                    "uid",
                    Simple.TEXT,
                    "groups",
                    texts,
                    "extra",
                    new MapOf(texts)))));
  }

  /** Whether any expression uses the claims. */
  private boolean aboutClaims() {
    return username != null
        || groups != null
        || uid != null
        || !extra.isEmpty()
        || !claimRules.isEmpty();
  }

  /**
   * Maps claims to a user and validates both.
   *
   * @param named the user mapped by claim names; fields mapped by an expression are empty
   * @throws InvalidJwtException if an expression fails or a rule does not hold
   */
  UserInfo user(Claims claims, UserInfo named) throws InvalidJwtException {
    UserInfo user = aboutClaims() ? mapped(claims, named) : named;
    if (!userRules.isEmpty()) {
      check(userRules, Map.of(USER, variable(user)));
    }
    return user;
  }

  private UserInfo mapped(Claims claims, UserInfo named) throws InvalidJwtException {
    Map<String, ?> variables = Map.of(CLAIMS, JsonValues.of(claims.values()));
    check(claimRules, variables);
    String name = username == null ? named.name() : text("username", username, variables);
    if (name.isEmpty()) {
      throw new InvalidJwtException("the username expression returned an empty string");
    }
    Map<String, List<String>> more = new LinkedHashMap<>();
    for (Extra one : extra) {
      List<String> values = texts("extra " + one.key, one.values, variables);
      if (!values.isEmpty()) {
        more.put(one.key, values);
      }
    }
    return new UserInfo(
        name,
        uid == null ? named.uid() : text("uid", uid, variables),
        groups == null ? named.groups() : texts("groups", groups, variables),
        more);
  }

  private static String text(String field, Expression expression, Map<String, ?> variables)
      throws InvalidJwtException {
    try {
      return expression.textValue(variables);
    } catch (EvaluationException e) {
      throw failed(field, e);
    }
  }

  private static List<String> texts(String field, Expression expression, Map<String, ?> variables)
      throws InvalidJwtException {
    try {
      return expression.texts(variables);
    } catch (EvaluationException e) {
      throw failed(field, e);
    }
  }

  private static void check(List<Rule> rules, Map<String, ?> variables) throws InvalidJwtException {
    for (Rule rule : rules) {
      try {
        if (!rule.expression.holds(variables)) {
          throw new InvalidJwtException(
              "validation expression '"
                  + rule.expression.text()
                  + "' failed"
                  + (rule.message.isEmpty() ? "" : ": " + rule.message));
        }
      } catch (EvaluationException e) {
        throw failed("validation '" + rule.expression.text() + "'", e);
      }
    }
  }

  private static InvalidJwtException failed(String what, EvaluationException cause) {
    return new InvalidJwtException(
        "error evaluating the " + what + " expression: " + cause.getMessage(), cause);
  }

  /** The variable {@code user}; empty fields are absent, as in Kubernetes. */
  private static Map<String, Object> variable(UserInfo user) {
    Map<String, Object> variable = new LinkedHashMap<>();
    variable.put("username", user.name());
    variable.put("uid", user.uid());
    variable.put("groups", user.groups());
    variable.put("extra", user.extra());
    return variable;
  }
}
