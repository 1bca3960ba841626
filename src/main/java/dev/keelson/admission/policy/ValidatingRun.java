package dev.keelson.admission.policy;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.expression.RequestAuthorizer;
import dev.keelson.admission.expression.RequestInputs;
import dev.keelson.admission.match.Matched;
import dev.keelson.admission.match.ResourceMatcher;
import dev.keelson.admission.policy.PolicyHook.Binding;
import dev.keelson.admission.policy.PolicyObserver.Check;
import dev.keelson.admission.policy.PolicyObserver.Plugin;
import dev.keelson.admission.policy.Validator.Decision;
import dev.keelson.admission.policy.Validator.Evaluation;
import dev.keelson.admission.policy.Validator.Published;
import dev.keelson.admission.policy.Validator.Result;
import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.cel.admission.Activation;
import dev.keelson.cel.admission.Activation.Inputs;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The validating policies for one request (source: validating/dispatcher.go). One thread. */
final class ValidatingRun {

  private static final String FAILURE_KEY = "validation.policy.admission.k8s.io/validation_failure";

  private final PolicyContext context;
  private final AdmissionAttributes call;
  private final PolicyRequest request;
  private final Params params;
  private final RequestAuthorizer authorizer;

  /** The first refusal, which the client is told. */
  private @Nullable Denial denial;

  /**
   * A refusal.
   *
   * @param binding null if the policy itself cannot be applied
   */
  private record Denial(String policy, @Nullable String binding, String message, String reason) {}

  /** A policy that matches the request, with the inputs of its expressions. */
  private record Applied(
      PolicyHook hook, Matched matched, @Nullable ResourceDefinition paramKind, Inputs inputs) {}

  ValidatingRun(PolicyContext context, AdmissionAttributes call, List<Matched> equivalents) {
    this.context = context;
    this.call = call;
    this.request = new PolicyRequest(call, equivalents, context.objects());
    this.params = context.params();
    this.authorizer = new RequestAuthorizer(context.authorizer(), call.user());
  }

  void run(List<PolicyHook> hooks) {
    for (PolicyHook hook : hooks) {
      try {
        policy(hook);
      } catch (ConfigurationFault fault) {
        deny(hook, null, "failed to configure policy: " + fault.text());
      }
    }
    Denial denied = denial;
    if (denied != null) {
      throw refusal(denied);
    }
  }

  private void deny(PolicyHook hook, @Nullable Binding binding, String message) {
    if (hook.failsClosed()) {
      deny(new Denial(hook.name(), binding == null ? null : binding.name(), message, ""));
    }
  }

  private void deny(Denial next) {
    if (denial == null) {
      denial = next;
    }
  }

  private void policy(PolicyHook hook) throws ConfigurationFault {
    ResourceMatcher constraints = hook.constraints();
    Optional<Matched> matched = constraints == null ? Optional.empty() : request.match(constraints);
    if (matched.isEmpty()) {
      return;
    }
    ResourceDefinition paramKind = params.resource(hook.spec());
    Applied applied = new Applied(hook, matched.get(), paramKind, inputs(matched.get()));
    Map<String, Set<String>> annotations = new LinkedHashMap<>();
    for (Binding binding : hook.bindings()) {
      try {
        binding(applied, binding, annotations);
      } catch (ConfigurationFault fault) {
        deny(hook, binding, "failed to configure binding: " + fault.text());
      }
    }
    annotations.forEach(
        (key, values) -> call.annotate(hook.name() + "/" + key, String.join(", ", values)));
  }

  private Inputs inputs(Matched matched) throws ConfigurationFault {
    try {
      return RequestInputs.of(
          call, matched.resource(), matched.kind(), request::namespace, authorizer);
    } catch (ApiException e) {
      throw new ConfigurationFault("failed to convert object version: " + e.text());
    }
  }

  private void binding(Applied applied, Binding binding, Map<String, Set<String>> annotations)
      throws ConfigurationFault {
    ResourceMatcher matcher = binding.matcher();
    if (matcher != null && request.match(matcher).isEmpty()) {
      return;
    }
    PolicyHook hook = applied.hook;
    CompiledPolicy policy = hook.compiled();
    for (ApiObject param : params.of(applied.paramKind, binding.spec(), call.namespace())) {
      MapNode root = param == null ? null : param.root();
      Activation activation = new Activation(applied.inputs, root, policy.variables());
      Result result =
          Validator.validate(
              policy,
              context.conditions(
                  hook,
                  call.operation(),
                  () ->
                      new Activation(
                          RequestInputs.ofConditions(call, applied.matched.kind(), authorizer),
                          root,
                          policy.variables())),
              hook.failsClosed(),
              activation);
      for (int i = 0; i < result.decisions().size(); i++) {
        decision(hook, binding, result.decisions().get(i), i);
      }
      for (Published annotation : result.annotations()) {
        if (annotation.error().isEmpty()) {
          boolean unused =
              annotations
                  .computeIfAbsent(annotation.key(), key -> new LinkedHashSet<>())
                  .add(annotation.value());
        } else {
          deny(hook, binding, annotation.error());
          observe(hook, binding, Decision.error(true, annotation.error(), 0), "deny");
        }
      }
    }
  }

  private void decision(PolicyHook hook, Binding binding, Decision decision, int index) {
    if (!decision.denies()) {
      if (decision.evaluation() == Evaluation.ERROR) {
        observe(hook, binding, decision, "allow");
      }
      return;
    }
    for (Node action : binding.spec().items("validationActions")) {
      switch (action instanceof Node.Text text ? text.value() : "") {
        case "Deny" -> {
          deny(new Denial(hook.name(), binding.name(), decision.message(), decision.reason()));
          observe(hook, binding, decision, "deny");
        }
        case "Audit" -> {
          call.annotate(FAILURE_KEY, failure(hook, binding, decision, index));
          observe(hook, binding, decision, "audit");
        }
        case "Warn" -> {
          call.warnings()
              .accept(
                  "Validation failed for ValidatingAdmissionPolicy '"
                      + hook.name()
                      + "' with binding '"
                      + binding.name()
                      + "': "
                      + decision.message());
          observe(hook, binding, decision, "warn");
        }
        default -> {
          // validation allows no other
        }
      }
    }
  }

  private void observe(PolicyHook hook, Binding binding, Decision decision, String action) {
    String error =
        decision.evaluation() == Evaluation.ADMIT
            ? "no_error"
            : decision.message().startsWith("compilation")
                ? "compile_error"
                : decision.message().startsWith("validation failed due to running out of cost")
                    ? "out_of_budget"
                    : "invalid_error";
    context
        .observer()
        .observe(
            new Check(
                Plugin.VALIDATING, hook.name(), binding.name(), error, action, decision.nanos()));
  }

  /** The audit annotation, as Go writes it. */
  private static String failure(PolicyHook hook, Binding binding, Decision decision, int index) {
    List<String> actions = new ArrayList<>();
    for (Node action : binding.spec().items("validationActions")) {
      actions.add(GoJson.text(action instanceof Node.Text text ? text.value() : ""));
    }
    return "[{\"message\":"
        + GoJson.text(decision.message())
        + ",\"policy\":"
        + GoJson.text(hook.name())
        + ",\"binding\":"
        + GoJson.text(binding.name())
        + ",\"expressionIndex\":"
        + index
        + ",\"validationActions\":["
        + String.join(",", actions)
        + "]}]";
  }

  private ApiException refusal(Denial denied) {
    String message =
        "ValidatingAdmissionPolicy '"
            + denied.policy
            + (denied.binding == null ? "'" : "' with binding '" + denied.binding + "'")
            + " denied request: "
            + denied.message;
    ApiException forbidden = call.forbidden(message);
    return new ApiException(
        reason(denied.reason),
        forbidden.text(),
        forbidden.details().withCauses(List.of(new FieldCause("", message, ""))),
        null);
  }

  private static Reason reason(String word) {
    return switch (word) {
      case "Forbidden" -> Reason.FORBIDDEN;
      case "Unauthorized" -> Reason.UNAUTHORIZED;
      case "RequestEntityTooLarge" -> Reason.REQUEST_ENTITY_TOO_LARGE;
      default -> Reason.INVALID;
    };
  }
}
