package dev.keelson.schema.validation.core.pod;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import dev.keelson.value.WhiteSpace;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The containers of a pod, and what they must not share. */
final class ContainerRules {
  private static final Node EMPTY_NAME = Node.text("");
  private static final int MOST_RESTART_RULES = 20;
  private static final int MOST_EXIT_CODES = 255;

  private final Value pod;

  private final Map<String, Value> volumes;

  private final boolean isPod;

  /** Null until a container names a claim. */
  private ResourceRules.@Nullable ClaimNames claimNames;

  /**
   * For the containers of the pod spec {@code pod}.
   *
   * @param volumes the volumes that break no rule, by name
   * @param isPod whether this is the spec of a pod, not of a pod template
   */
  ContainerRules(Value pod, Map<String, Value> volumes, boolean isPod) {
    this.pod = pod;
    this.volumes = volumes;
    this.isPod = isPod;
  }

  void validateContainers() {
    Value containers = pod.declared("containers").get("containers");
    ValueSet names = new ValueSet();
    for (Value container : containers) {
      validateContainerCommon(container);
      validateUniqueName(container, names);
      ProbeRules.validateLifecycle(container.get("lifecycle"), pod);
      ProbeRules.validateProbes(container, pod);
      validateRestartPolicy(container);
      container.declared();
    }
    validateHostPorts(containers);
    Value inits = pod.get("initContainers");
    for (Value container : inits) {
      validateContainerCommon(container);
      validateRestartPolicy(container);
      if (container.get("name").filled() || names.contains(EMPTY_NAME)) {
        validateUniqueName(container, names);
      }
      // Kubernetes looks at each by itself, and calls each the first
      validateHostPorts(inits.holding(new Node.Items(List.of(container.map()))));
      validateInitContainer(container);
      container.declared();
    }
    ValueSet targets = containers.valuesOf("name");
    for (Value container : inits) {
      targets.add(container.get("name").node());
    }
    for (Value container : pod.get("ephemeralContainers")) {
      validateContainerCommon(container);
      validateImageWhitespace(container);
      validateUniqueName(container, names);
      validateEphemeralContainer(container, targets);
      container.declared();
    }
  }

  /** Kubernetes takes the names of containers for equal even if there are none. */
  private static void validateUniqueName(Value container, ValueSet names) {
    Value name = container.get("name").orEmpty();
    if (!names.add(name.node())) {
      name.duplicate();
    }
  }

  /** Rejects white space around the images of pods; pod templates may have it as a placeholder. */
  static void validateImageWhitespace(Value container) {
    Value image = container.get("image");
    if (WhiteSpace.surrounds(image.text())) {
      image.invalid("must not have leading or trailing whitespace");
    }
  }

  private void validateContainerCommon(Value container) {
    container.declared("name").get("name").dnsLabel();
    if (!container.get("image").filled()) {
      container.get("image").required();
    }
    container.declared("terminationMessagePolicy");
    validateContainerPorts(container.get("ports"));
    EnvironmentRules.validateEnv(container);
    MountRules.validateVolumeMounts(container, volumes);
    container.declared("imagePullPolicy");
    ResourceRules.validateResourceRequirements(container.get("resources"), pod);
    Value claims = container.get("resources", "claims");
    if (claims.size() > 0) {
      ResourceRules.validateResourceClaimNames(claims, claimNames());
    }
    validateResizePolicy(container.get("resizePolicy"));
    SecurityRules.validateSecurityContext(container.get("securityContext"), pod.get("hostUsers"));
  }

  private ResourceRules.ClaimNames claimNames() {
    ResourceRules.ClaimNames known = claimNames;
    if (known == null) {
      known = ResourceRules.ClaimNames.of(pod.get("resourceClaims"));
      claimNames = known;
    }
    return known;
  }

  /** When a container is started again, by its own policy and rules. */
  private static void validateRestartPolicy(Value container) {
    Value policy = container.get("restartPolicy");
    Value rules = container.get("restartPolicyRules");
    if (policy.absent() && rules.size() > 0) {
      policy.required("must specify restartPolicy when restart rules are used");
    }
    if (policy.present() && !policy.filled()) {
      policy.unsupported("Always", "Never", "OnFailure");
    }
    container.declared("restartPolicy");
    if (rules.size() > MOST_RESTART_RULES) {
      rules.tooMany(MOST_RESTART_RULES);
    }
    for (Value rule : rules) {
      if (!rule.get("action").filled()) {
        rule.get("action").unsupported("Restart", "RestartAllContainers");
      }
      rule.declared("action");
      if (rule.get("exitCodes").absent()) {
        rule.get("exitCodes").required("must be specified");
      }
      Value operator = rule.get("exitCodes", "operator");
      if (rule.get("exitCodes").present() && !operator.filled()) {
        operator.unsupported("In", "NotIn");
      }
      Value codes = rule.get("exitCodes", "values");
      if (codes.size() > MOST_EXIT_CODES) {
        codes.tooMany(MOST_EXIT_CODES);
      }
      rule.declared();
    }
  }

  private void validateResizePolicy(Value policies) {
    ValueSet resources = new ValueSet();
    for (Value policy : policies) {
      Value resource = policy.get("resourceName");
      if (!resources.add(resource.node())) {
        policy.duplicate(resource.text());
      }
      // Kubernetes names the list, not the entry
      oneOf(policies, resource.text(), "cpu", "memory");
      Value restart = policy.get("restartPolicy");
      oneOf(policies, restart.text(), "NotRequired", "RestartContainer");
      if (pod.get("restartPolicy").is("Never") && !restart.is("NotRequired")) {
        policies.invalid(
            restart.text(), "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
      }
    }
  }

  private static void oneOf(Value shownAt, String text, String... known) {
    if (text.isEmpty()) {
      shownAt.required();
    } else if (!java.util.List.of(known).contains(text)) {
      shownAt.unsupportedText(text, known);
    }
  }

  private void validateInitContainer(Value container) {
    if (container.get("restartPolicy").is("Always")) {
      ProbeRules.validateLifecycle(container.get("lifecycle"), pod);
      ProbeRules.validateProbes(container, pod);
      return;
    }
    for (String field :
        new String[] {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      if (container.get(field).present()) {
        container
            .get(field)
            .forbidden("may not be set for init containers without restartPolicy=Always");
      }
    }
    for (Value policy : container.get("resizePolicy")) {
      Value restart = policy.get("restartPolicy");
      if (restart.is("RestartContainer") && !wasRestarted()) {
        restart.invalid("must not be set to 'RestartContainer' for non-sidecar initContainers");
      }
    }
  }

  /** Whether an init container of the stored pod, and no sidecar, has the policy; it may stay. */
  private boolean wasRestarted() {
    for (Value container : pod.holding(pod.before()).get("initContainers")) {
      for (Value policy : container.get("resizePolicy")) {
        if (policy.get("restartPolicy").is("RestartContainer")
            && !container.get("restartPolicy").is("Always")) {
          return true;
        }
      }
    }
    return false;
  }

  private static void validateEphemeralContainer(Value container, ValueSet targets) {
    Value target = container.get("targetContainerName");
    if (target.filled() && !targets.contains(target.node())) {
      target.notFound();
    }
    for (String field :
        new String[] {
          "ports",
          "resources",
          "resizePolicy",
          "restartPolicy",
          "restartPolicyRules",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle"
        }) {
      Value value = container.get(field);
      boolean pointer =
          field.endsWith("Probe") || field.equals("lifecycle") || field.equals("restartPolicy");
      if (value.filled() || (value.present() && pointer)) {
        value.forbidden("cannot be set for an Ephemeral Container");
      }
    }
    for (Value mount : container.get("volumeMounts")) {
      for (String field : new String[] {"subPath", "subPathExpr"}) {
        if (mount.get(field).filled()) {
          mount.get(field).forbidden("cannot be set for an Ephemeral Container");
        }
      }
    }
  }

  // ports

  private static void validateContainerPorts(Value ports) {
    Set<String> names = null;
    for (Value port : ports) {
      Value name = port.get("name");
      String problem = name.filled() ? Formats.PORT_NAME.apply(name.text()) : "";
      if (!problem.isEmpty()) {
        name.invalid(problem);
      } else if (name.filled()) {
        names = names == null ? new HashSet<>() : names;
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
      Value number = port.get("containerPort");
      if (number.number() == 0) {
        number.required();
      } else {
        number.port();
      }
      if (port.get("hostPort").number() != 0) {
        port.get("hostPort").port();
      }
      port.declared();
    }
  }

  /** On the host's network a port of the container is one of the host. */
  void validateHostNetworkPorts() {
    if (!pod.get("hostNetwork").flag()) {
      return;
    }
    for (Value container : pod.get("containers")) {
      for (Value port : container.get("ports")) {
        Value host = port.get("hostPort").orZero();
        if ((isPod || host.number() != 0) && host.number() != port.get("containerPort").number()) {
          host.invalid("must match `containerPort` when `hostNetwork` is true");
        }
      }
    }
  }

  private static void validateHostPorts(Value containers) {
    Set<String> taken = null;
    for (Value container : containers) {
      for (Value port : container.get("ports")) {
        Value host = port.get("hostPort");
        if (host.number() == 0) {
          continue;
        }
        String protocol = port.get("protocol").filled() ? port.get("protocol").text() : "TCP";
        String key = protocol + "/" + port.get("hostIP").text() + "/" + host.number();
        taken = taken == null ? new HashSet<>() : taken;
        if (!taken.add(key)) {
          host.duplicate(key);
        }
      }
    }
  }
}
