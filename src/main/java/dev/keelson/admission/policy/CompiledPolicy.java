package dev.keelson.admission.policy;

import dev.keelson.cel.admission.MatchConditions;
import dev.keelson.cel.admission.PolicyCompiler;
import dev.keelson.cel.admission.PolicyCompiler.Sees;
import dev.keelson.cel.admission.PolicyExpression;
import dev.keelson.cel.admission.PolicyVariable;
import dev.keelson.cel.admission.ResultType;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The expressions of a policy. Immutable; used by several threads.
 *
 * @param validations of a validating policy
 * @param annotations of a validating policy
 * @param mutations of a mutating policy
 */
record CompiledPolicy(
    List<PolicyVariable> variables,
    MatchConditions conditions,
    List<Validation> validations,
    List<Annotation> annotations,
    List<Mutation> mutations) {

  CompiledPolicy {
    variables = List.copyOf(variables);
    validations = List.copyOf(validations);
    annotations = List.copyOf(annotations);
    mutations = List.copyOf(mutations);
  }

  /**
   * A validation.
   *
   * @param messageExpression null if there is none
   * @param message the message without an expression, stripped; may be empty
   * @param reason the reason; empty if the policy has none
   */
  record Validation(
      PolicyExpression expression,
      @Nullable PolicyExpression messageExpression,
      String message,
      String reason) {}

  /** An audit annotation. */
  record Annotation(String key, PolicyExpression value) {}

  /** A mutation. */
  record Mutation(Type type, PolicyExpression expression) {
    /** How it changes the object. */
    enum Type {
      APPLY_CONFIGURATION,
      JSON_PATCH
    }
  }

  /** Compiles the expressions of a spec. */
  static CompiledPolicy of(MapNode spec) {
    PolicyCompiler compiler = PolicyCompiler.forPolicy();
    Set<Sees> messages = EnumSet.noneOf(Sees.class);
    if (spec.has("paramKind")) {
      messages.add(Sees.PARAMS);
    }
    Set<Sees> sees = EnumSet.of(Sees.AUTHORIZER);
    sees.addAll(messages);
    for (MapNode variable : Node.maps(spec.items("variables"))) {
      PolicyExpression unused =
          compiler.variable(variable.text("name"), variable.text("expression"), sees);
    }
    MatchConditions conditions =
        MatchConditions.compile(Node.maps(spec.items("matchConditions")), compiler, sees);
    return new CompiledPolicy(
        compiler.variables(),
        conditions,
        validations(spec, compiler, sees, messages),
        annotations(spec, compiler, sees),
        mutations(spec, compiler, sees));
  }

  private static List<Validation> validations(
      MapNode spec, PolicyCompiler compiler, Set<Sees> sees, Set<Sees> messages) {
    List<Validation> validations = new ArrayList<>();
    for (MapNode validation : Node.maps(spec.items("validations"))) {
      String message = validation.text("messageExpression");
      validations.add(
          new Validation(
              compiler.compile(validation.text("expression"), ResultType.BOOL, sees),
              message.isEmpty() ? null : compiler.compile(message, ResultType.TEXT, messages),
              validation.text("message").strip(),
              validation.text("reason")));
    }
    return validations;
  }

  private static List<Annotation> annotations(
      MapNode spec, PolicyCompiler compiler, Set<Sees> sees) {
    List<Annotation> annotations = new ArrayList<>();
    for (MapNode annotation : Node.maps(spec.items("auditAnnotations"))) {
      annotations.add(
          new Annotation(
              annotation.text("key"),
              compiler.compile(annotation.text("valueExpression"), ResultType.TEXT_OR_NULL, sees)));
    }
    return annotations;
  }

  private static List<Mutation> mutations(MapNode spec, PolicyCompiler compiler, Set<Sees> sees) {
    Set<Sees> patching = EnumSet.of(Sees.PATCH_TYPES);
    patching.addAll(sees);
    List<Mutation> mutations = new ArrayList<>();
    for (MapNode mutation : Node.maps(spec.items("mutations"))) {
      mutations.add(
          mutation.text("patchType").equals("JSONPatch")
              ? new Mutation(
                  Mutation.Type.JSON_PATCH,
                  compiler.compile(
                      mutation.map("jsonPatch").text("expression"), ResultType.PATCH, patching))
              : new Mutation(
                  Mutation.Type.APPLY_CONFIGURATION,
                  compiler.compile(
                      mutation.map("applyConfiguration").text("expression"),
                      ResultType.OBJECT,
                      patching)));
    }
    return mutations;
  }
}
