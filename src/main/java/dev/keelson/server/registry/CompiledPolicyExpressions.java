package dev.keelson.server.registry;

import dev.keelson.cel.admission.PolicyCompiler;
import dev.keelson.cel.admission.ResultType;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Compiles the expressions of admission policies and webhooks. The CEL library is loaded for the
 * first of them.
 */
final class CompiledPolicyExpressions implements PolicyExpressions {

  @Override
  public Compiler forPolicy() {
    return new Adapter(PolicyCompiler.forPolicy());
  }

  @Override
  public Compiler forConditions() {
    return new Adapter(PolicyCompiler.forConditions());
  }

  private record Adapter(PolicyCompiler compiler) implements Compiler {
    @Override
    public String variable(String name, String text, Set<Sees> sees) {
      return compiler.variable(name, text, seen(sees)).error();
    }

    @Override
    public String check(String text, Role role, Set<Sees> sees) {
      EnumSet<PolicyCompiler.Sees> seen = seen(sees);
      ResultType type =
          switch (role) {
            case CONDITION -> ResultType.BOOL;
            case MESSAGE -> ResultType.TEXT;
            case ANNOTATION -> ResultType.TEXT_OR_NULL;
            case APPLY_CONFIGURATION -> ResultType.OBJECT;
            case JSON_PATCH -> ResultType.PATCH;
          };
      if (type == ResultType.OBJECT || type == ResultType.PATCH) {
        seen.add(PolicyCompiler.Sees.PATCH_TYPES);
      }
      return compiler.compile(text, type, seen).error();
    }

    private static EnumSet<PolicyCompiler.Sees> seen(Set<Sees> sees) {
      EnumSet<PolicyCompiler.Sees> seen = EnumSet.noneOf(PolicyCompiler.Sees.class);
      for (Sees each : sees) {
        seen.add(
            switch (each) {
              case PARAMS -> PolicyCompiler.Sees.PARAMS;
              case AUTHORIZER -> PolicyCompiler.Sees.AUTHORIZER;
            });
      }
      return seen;
    }
  }
}
