package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.schema.jsonpath.JsonPath;
import dev.keelson.schema.validation.Conditions;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions.Compiler;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions.Role;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions.Sees;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Validating and mutating admission policies. Every expression is compiled, in the order in which
 * variables see each other.
 */
record PolicyRules(Kind kind, PolicyExpressions expressions) implements KindRules {

  /** The two kinds. */
  enum Kind {
    VALIDATING,
    MUTATING
  }

  private static final int MOST_ANNOTATIONS = 20;
  private static final int LONGEST_VALUE_EXPRESSION = 5 * 1024;
  private static final Set<String> REASONS =
      Set.of("Forbidden", "Invalid", "RequestEntityTooLarge");
  private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validateCreate(Value object) {
    validate(object, true);
  }

  /** Match conditions that were valid once are not compiled again, as long as they stay. */
  @Override
  public void validateUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    Value before = old.get("spec");
    validate(
        object,
        !spec.get("paramKind").sameAs(before.get("paramKind"))
            || !spec.get("matchConditions").sameAs(before.get("matchConditions")));
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    Value status = object.get("status");
    for (Value warning : status.get("typeChecking", "expressionWarnings")) {
      warning.get("warning").needed();
      fieldRef(warning.get("fieldRef"));
    }
    Conditions.validateConditions(status.get("conditions"));
  }

  private static void fieldRef(Value reference) {
    String path = reference.text().strip();
    if (path.isEmpty()) {
      reference.required();
      return;
    }
    try {
      JsonPath unused = JsonPath.of(path);
    } catch (ValueFormatException e) {
      reference.invalid(path, "invalid JSONPath: " + e.getMessage());
    }
  }

  private void validate(Value object, boolean conditionsToo) {
    Value spec = object.get("spec");
    Value failure = spec.get("failurePolicy");
    GivenText.validateKnown(failure.existing(""), "Fail", "Ignore");
    Value paramKind = spec.get("paramKind");
    EnumSet<Sees> sees = EnumSet.of(Sees.AUTHORIZER);
    if (paramKind.present()) {
      sees.add(Sees.PARAMS);
      validateParamKind(paramKind);
    }
    MatchRules.validateMatchConstraints(spec.get("matchConstraints"));
    if (kind == Kind.MUTATING) {
      MatchRules.validateMutatingOperations(spec.get("matchConstraints"));
    }
    if (conditionsToo) {
      MatchRules.validateMatchConditions(spec.get("matchConditions"), expressions, sees);
    }
    Compiler compiler =
        kind == Kind.MUTATING || spec.get("variables").size() > 0
            ? expressions.forPolicy()
            : expressions.forConditions();
    for (Value variable : spec.get("variables")) {
      variable(variable, compiler, sees);
    }
    switch (kind) {
      case VALIDATING -> validations(object, compiler, sees);
      case MUTATING -> mutations(spec, compiler, sees);
    }
  }

  private static void validateParamKind(Value kind) {
    Value version = kind.get("apiVersion").needed();
    String text = version.text();
    if (text.chars().filter(c -> c == '/').count() > 1) {
      version.invalid("unexpected GroupVersion string: " + text);
    } else if (!text.isEmpty()) {
      int slash = text.equals("/") ? -1 : text.indexOf('/');
      String group = slash < 0 ? "" : text.substring(0, slash);
      String name = text.equals("/") ? "" : text.substring(slash + 1);
      one(version, group, group.isEmpty() ? "" : Formats.DNS_SUBDOMAIN.apply(group));
      if (name.isEmpty()) {
        version.invalid("version must be specified");
      } else {
        one(version, name, Formats.DNS_1035_LABEL.apply(name));
      }
    }
    Value name = kind.get("kind").needed();
    if (name.filled()) {
      String problem = Formats.DNS_1035_LABEL.apply(name.text().toLowerCase(Locale.ROOT));
      String prefix = "may have mixed case, but should otherwise match: ";
      one(name, name.text(), problem.isEmpty() ? "" : prefix + problem);
    }
  }

  /** Reports several problems as one cause. */
  private static void one(Value value, String shown, String problems) {
    MatchRules.report(value, shown, problems.replace("\n", ","));
  }

  private static void variable(Value variable, Compiler compiler, Set<Sees> sees) {
    Value name = variable.get("name");
    if (name.text().isBlank()) {
      name.required("name is not specified");
    } else if (!IDENTIFIER.matcher(name.text()).matches() || RESERVED.contains(name.text())) {
      name.invalid("name is not a valid CEL identifier");
    }
    Value expression = variable.get("expression");
    if (expression.text().isBlank()) {
      expression.required("expression is not specified");
    } else {
      MatchRules.report(
          expression, expression.text(), compiler.variable(name.text(), expression.text(), sees));
    }
  }

  // validating policies

  private static void validations(Value object, Compiler compiler, Set<Sees> sees) {
    Value validations = object.get("spec", "validations");
    Value annotations = object.get("spec", "auditAnnotations");
    if (validations.size() == 0 && annotations.size() == 0) {
      String detail = "validations or auditAnnotations must contain at least one item";
      validations.required(detail);
      annotations.required(detail);
      return;
    }
    for (Value validation : validations) {
      validation(validation, compiler, sees);
    }
    if (annotations.size() > MOST_ANNOTATIONS) {
      annotations.invalid("must not have more than " + MOST_ANNOTATIONS + " auditAnnotations");
    }
    Set<Node> keys = new HashSet<>();
    for (Value annotation : annotations) {
      annotation(object.get("metadata", "name").text(), annotation, compiler, sees);
      Value key = annotation.get("key").orEmpty();
      if (key.node() != null && !keys.add(key.node())) {
        key.duplicate();
      }
    }
  }

  private static void validation(Value validation, Compiler compiler, Set<Sees> sees) {
    Value expression = validation.get("expression");
    if (expression.text().isBlank()) {
      expression.required("expression is not specified");
    } else {
      check(expression, Role.CONDITION, compiler, sees);
    }
    Value messageExpression = validation.get("messageExpression");
    if (messageExpression.filled() && messageExpression.text().isBlank()) {
      messageExpression.invalid("must be non-empty if specified");
    } else if (messageExpression.filled()) {
      EnumSet<Sees> without = EnumSet.copyOf(sees);
      without.remove(Sees.AUTHORIZER);
      check(messageExpression, Role.MESSAGE, compiler, without);
    }
    Value message = validation.get("message");
    String text = message.text().strip();
    if (message.filled() && text.isEmpty()) {
      message.invalid("message must be non-empty if specified");
    } else if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
      message.invalid("message must not contain line breaks");
    }
    Value reason = validation.get("reason");
    if (reason.present() && !REASONS.contains(reason.text())) {
      reason.unsupported(REASONS.toArray(String[]::new));
    }
  }

  private static void check(Value expression, Role role, Compiler compiler, Set<Sees> sees) {
    MatchRules.report(expression, expression.text(), compiler.check(expression.text(), role, sees));
  }

  private static void annotation(
      String policy, Value annotation, Compiler compiler, Set<Sees> sees) {
    Value key = annotation.get("key");
    if (policy.isEmpty()) {
      key.orEmpty().invalid("requires metadata.name be non-empty");
    } else {
      String qualified = policy + "/" + key.text();
      for (FieldCause cause :
          FieldCause.eachInvalid(key.path(), qualified, Formats.QUALIFIED_NAME.apply(qualified))) {
        key.report(cause);
      }
    }
    Value expression = annotation.get("valueExpression");
    String text = expression.text().strip();
    if (text.isEmpty()) {
      expression.required("valueExpression is not specified");
    } else if (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_VALUE_EXPRESSION) {
      expression.required("must not exceed " + LONGEST_VALUE_EXPRESSION + " bytes in length");
    } else {
      MatchRules.report(expression, expression.text(), compiler.check(text, Role.ANNOTATION, sees));
    }
  }

  // mutating policies

  private static void mutations(Value spec, Compiler compiler, Set<Sees> sees) {
    Value mutations = spec.get("mutations");
    if (mutations.size() == 0) {
      mutations.required("mutations must contain at least one item");
    }
    for (Value mutation : mutations) {
      mutation(mutation, compiler, sees);
    }
    spec.get("reinvocationPolicy").needed().oneOf("IfNeeded", "Never");
  }

  private static void mutation(Value mutation, Compiler compiler, Set<Sees> sees) {
    Value type = mutation.get("patchType");
    switch (type.text()) {
      case "" -> type.required();
      case "ApplyConfiguration" ->
          mutation(
              mutation.get("applyConfiguration"),
              mutation.get("jsonPatch"),
              Role.APPLY_CONFIGURATION,
              compiler,
              sees);
      case "JSONPatch" ->
          mutation(
              mutation.get("jsonPatch"),
              mutation.get("applyConfiguration"),
              Role.JSON_PATCH,
              compiler,
              sees);
      default -> type.unsupported("ApplyConfiguration", "JSONPatch");
    }
  }

  private static void mutation(
      Value wanted, Value other, Role role, Compiler compiler, Set<Sees> sees) {
    String type = role == Role.JSON_PATCH ? "JSONPatch" : "ApplyConfiguration";
    if (wanted.absent()) {
      wanted.required("must be specified when patchType is " + type);
    } else {
      Value expression = wanted.get("expression");
      String text = expression.text().strip();
      if (text.isEmpty()) {
        expression.required();
      } else {
        MatchRules.report(expression, text, compiler.check(text, role, sees));
      }
    }
    if (other.present()) {
      other.invalid("{" + other.name() + "}", "must not be specified when patchType is " + type);
    }
  }
}
