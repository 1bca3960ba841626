package dev.keelson.admission.policy;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.expression.RequestAuthorizer;
import dev.keelson.admission.expression.RequestInputs;
import dev.keelson.admission.match.Matched;
import dev.keelson.admission.match.ResourceMatcher;
import dev.keelson.admission.policy.CompiledPolicy.Mutation;
import dev.keelson.admission.policy.PolicyHook.Binding;
import dev.keelson.admission.policy.PolicyObserver.Check;
import dev.keelson.admission.policy.PolicyObserver.Plugin;
import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.cel.admission.Activation;
import dev.keelson.cel.admission.Activation.Inputs;
import dev.keelson.cel.admission.Budget;
import dev.keelson.cel.admission.MatchConditions.Verdict;
import dev.keelson.cel.admission.OutOfBudgetException;
import dev.keelson.cel.admission.Outcome;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.Subresource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The mutating policies for one request (source: generic/policy_dispatcher.go and
 * mutating/dispatcher.go): what matches is found with the object as it came, then the mutations
 * follow one another. One thread.
 */
final class MutatingRun {

  private static final int FORBIDDEN_CODE = 403;

  private final PolicyContext context;
  private final AdmissionAttributes call;
  private final PolicyRequest request;
  private final Params params;
  private final RequestAuthorizer authorizer;
  private final Reinvocation reinvocation;
  private final List<FieldCause> problems = new ArrayList<>();

  /** Whether the first problem is one of an expression. */
  private boolean invalid;

  /** A policy that is to be applied with a binding and a parameter. */
  private record Invocation(
      PolicyHook hook, Binding binding, Matched matched, @Nullable ApiObject param) {

    Reinvocation.Key key() {
      return new Reinvocation.Key(
          hook.name(),
          binding.name(),
          param == null ? "" : param.meta().namespace(),
          param == null ? "" : param.meta().name());
    }
  }

  MutatingRun(PolicyContext context, AdmissionAttributes call, List<Matched> equivalents) {
    this.context = context;
    this.call = call;
    this.request = new PolicyRequest(call, equivalents, context.objects());
    this.params = context.params();
    this.authorizer = new RequestAuthorizer(context.authorizer(), call.user());
    this.reinvocation = Reinvocation.of(call.reinvocation());
  }

  ApiObject run(List<PolicyHook> hooks, ApiObject object) {
    List<Invocation> invocations = new ArrayList<>();
    for (PolicyHook hook : hooks) {
      try {
        find(hook, invocations);
      } catch (ConfigurationFault fault) {
        report(hook, null, "failed to configure policy: " + fault.text(), false);
      }
    }
    ApiObject next = invocations.isEmpty() ? object : invoke(invocations, object);
    if (!problems.isEmpty()) {
      throw refusal();
    }
    return next;
  }

  private void find(PolicyHook hook, List<Invocation> invocations) throws ConfigurationFault {
    ResourceMatcher constraints = hook.constraints();
    Optional<Matched> matched = constraints == null ? Optional.empty() : request.match(constraints);
    if (matched.isEmpty()) {
      return;
    }
    ResourceDefinition paramKind = params.resource(hook.spec());
    for (Binding binding : hook.bindings()) {
      try {
        ResourceMatcher matcher = binding.matcher();
        if (matcher == null || request.match(matcher).isPresent()) {
          for (ApiObject param : params.of(paramKind, binding.spec(), call.namespace())) {
            invocations.add(new Invocation(hook, binding, matched.get(), param));
          }
        }
      } catch (ConfigurationFault fault) {
        report(hook, binding, "failed to configure binding: " + fault.text(), false);
      }
    }
  }

  private ApiObject invoke(List<Invocation> invocations, ApiObject object) {
    boolean second = call.reinvocation().isReinvoke();
    if (second && reinvocation.isChanged(object)) {
      reinvocation.requireAgain();
    }
    // a namespace that does not exist rejects the request before any mutation
    ApiObject unused = request.namespace();
    ApiObject current = object;
    for (Invocation invocation : invocations) {
      ApiObject next = invoked(invocation, current, second);
      if (!next.equals(current)) {
        reinvocation.requireAgain();
        call.reinvocation().setShouldReinvoke();
        current = next;
      }
    }
    if (current != object) {
      // the policy that changed it last runs again as well
      reinvocation.requireAgain();
    }
    reinvocation.leave(current);
    return current;
  }

  /** The object after one policy; the object itself if it does not apply. */
  private ApiObject invoked(Invocation invocation, ApiObject object, boolean second) {
    CompiledPolicy policy = invocation.hook.compiled();
    switch (context.conditions(
        invocation.hook, call.operation(), () -> conditionActivation(invocation, policy, object))) {
      case Verdict.Matches _ -> {
        // is applied
      }
      case Verdict.Excluded _ -> {
        return object;
      }
      case Verdict.Failed failed -> {
        if (invocation.hook.failsClosed()) {
          report(invocation.hook, invocation.binding, failed.error(), true);
        }
        return object;
      }
    }
    if (second && !reinvocation.isAgain(invocation.key())) {
      return object;
    }
    ApiObject next = object;
    for (Mutation mutation : policy.mutations()) {
      long begin = System.nanoTime();
      String problem = "";
      try {
        next = mutated(invocation, policy, mutation, next);
      } catch (ConfigurationFault fault) {
        problem = fault.text();
        report(invocation.hook, invocation.binding, problem, true);
      } finally {
        observe(invocation, problem, System.nanoTime() - begin);
      }
    }
    if (invocation.hook.reinvoked()) {
      reinvocation.add(invocation.key());
    }
    return next;
  }

  private Activation activation(Invocation invocation, CompiledPolicy policy, ApiObject object) {
    return activation(
        invocation,
        policy,
        RequestInputs.of(
            call.withObject(object),
            invocation.matched.resource(),
            invocation.matched.kind(),
            request::namespace,
            authorizer));
  }

  private Activation conditionActivation(
      Invocation invocation, CompiledPolicy policy, ApiObject object) {
    return activation(
        invocation,
        policy,
        RequestInputs.ofConditions(call.withObject(object), invocation.matched.kind(), authorizer));
  }

  private static Activation activation(
      Invocation invocation, CompiledPolicy policy, Inputs inputs) {
    ApiObject param = invocation.param;
    return new Activation(inputs, param == null ? null : param.root(), policy.variables());
  }

  private ApiObject mutated(
      Invocation invocation, CompiledPolicy policy, Mutation mutation, ApiObject object)
      throws ConfigurationFault {
    String wrong = mutation.expression().error();
    if (!wrong.isEmpty()) {
      throw new ConfigurationFault(wrong);
    }
    Outcome outcome;
    try {
      outcome =
          activation(invocation, policy, object)
              .evaluate(mutation.expression(), new Budget(Budget.POLICY));
    } catch (OutOfBudgetException e) {
      throw new ConfigurationFault(e.text());
    }
    if (outcome.failed()) {
      throw new ConfigurationFault(outcome.error());
    }
    Matched matched = invocation.matched;
    ApiObject versioned =
        call.request().versions().convert(object, call.handledKind(), matched.kind());
    StructSchema schema = schema(matched);
    ApiObject changed =
        switch (mutation.type()) {
          case APPLY_CONFIGURATION -> ObjectPatches.merged(versioned, outcome, schema);
          case JSON_PATCH -> ObjectPatches.patched(versioned, outcome, schema);
        };
    return changed.equals(versioned)
        ? object
        : call.request().versions().convert(changed, matched.kind(), call.handledKind());
  }

  private StructSchema schema(Matched matched) {
    ResourceDefinition definition =
        context.catalog().current().find(matched.resource()).orElse(call.definition());
    Subresource part = definition.subresources().get(call.subresource());
    return part == null ? definition.schema() : part.schema();
  }

  private void observe(Invocation invocation, String problem, long nanos) {
    String error =
        problem.isEmpty()
            ? "no_error"
            : problem.startsWith("compilation")
                ? "compile_error"
                : problem.startsWith("validation failed due to running out of cost budget")
                    ? "out_of_budget"
                    : "invalid_error";
    context
        .observer()
        .observe(
            new Check(
                Plugin.MUTATING,
                invocation.hook.name(),
                invocation.binding.name(),
                error,
                problem.isEmpty() ? "allow" : "deny",
                nanos));
  }

  /**
   * Adds an error, unless the policy ignores them.
   *
   * @param ofExpression whether the reason is Invalid; Forbidden otherwise
   */
  private void report(
      PolicyHook hook, @Nullable Binding binding, String problem, boolean ofExpression) {
    if (!hook.failsClosed()) {
      return;
    }
    String message =
        binding == null
            ? "policy \"" + hook.name() + "\" denied request: " + problem
            : "policy '"
                + hook.name()
                + "' with binding '"
                + binding.name()
                + "' denied request: "
                + problem;
    if (problems.isEmpty()) {
      invalid = ofExpression;
    }
    problems.add(new FieldCause("", message, ""));
  }

  private ApiException refusal() {
    ApiException forbidden = call.forbidden("admission request denied by policy");
    // Kubernetes replaces the reason and leaves the code
    return ApiException.ofStatus(
        FORBIDDEN_CODE,
        (invalid ? Reason.INVALID : Reason.FORBIDDEN).word(),
        problems.getFirst().message(),
        forbidden.details().withCauses(problems));
  }
}
