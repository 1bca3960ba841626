package dev.keelson.schema.validation.admissionregistration;

import java.util.Set;

/**
 * Compiles the CEL expressions of admission policies and webhooks. Implementations are safe for use
 * by several threads; a {@link Compiler} is for one.
 */
public interface PolicyExpressions {

  /** Every expression is right. */
  PolicyExpressions NONE =
      new PolicyExpressions() {
        private static final Compiler ACCEPTING =
            new Compiler() {
              @Override
              public String variable(String name, String text, Set<Sees> sees) {
                return "";
              }

              @Override
              public String check(String text, Role role, Set<Sees> sees) {
                return "";
              }
            };

        @Override
        public Compiler forPolicy() {
          return ACCEPTING;
        }

        @Override
        public Compiler forConditions() {
          return ACCEPTING;
        }
      };

  /** What an expression is for, which decides its type. */
  enum Role {
    /** A bool. */
    CONDITION,
    /** A string. */
    MESSAGE,
    /** A string or null. */
    ANNOTATION,
    /** An Object. */
    APPLY_CONFIGURATION,
    /** A list of JSONPatch. */
    JSON_PATCH
  }

  /** What an expression may use beside the objects and the request. */
  enum Sees {
    PARAMS,
    AUTHORIZER
  }

  /** Compiles the expressions of one object in turn. */
  interface Compiler {
    /** The problem with a variable, which later expressions see; empty if there is none. */
    String variable(String name, String text, Set<Sees> sees);

    /** The problem with an expression; empty if there is none. */
    String check(String text, Role role, Set<Sees> sees);
  }

  /** A compiler for the variables of a policy and the expressions that use them. */
  Compiler forPolicy();

  /** A compiler for expressions without variables. */
  Compiler forConditions();
}
