package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules that the schema itself declares: required fields and known values, wherever they stand
 * in an object. Metadata and status are left out. What Kubernetes documents as required or
 * enumerated but does not enforce, or enforces in other words, is in the tables below and left to
 * the rules of the type. Safe for use by several threads.
 */
public final class DeclaredRules implements Value.Declared {
  /** Documented as required, but taken without, or refused by a rule of the type. */
  private static final Set<String> NOT_REQUIRED =
      Set.of(
          "HTTPHeader.name",
          "TopologySpreadConstraint.whenUnsatisfiable",
          "HTTPHeader.value",
          "ContainerRestartRuleOnExitCodes.operator",
          "HTTPGetAction.port",
          "TCPSocketAction.port",
          "Sysctl.value",
          "PodSchedulingGate.name",
          "PodReadinessGate.conditionType",
          "HostAlias.ip",
          "HostIP.ip",
          "PodIP.ip",
          "EndpointAddress.ip",
          "NodeSelectorRequirement.key",
          "NodeSelectorRequirement.operator",
          "ScopedResourceSelectorRequirement.scopeName",
          "ScopedResourceSelectorRequirement.operator",
          "LimitRangeSpec.limits",
          "LimitRangeItem.type",
          "CSINodeSpec.drivers",
          "CSIDriver.spec",
          "PodFailurePolicy.rules",
          "PodFailurePolicyOnExitCodesRequirement.values",
          "PodFailurePolicyOnExitCodesRequirement.operator",
          "PodFailurePolicyOnPodConditionsPattern.type",
          "PodFailurePolicyRule.action",
          "CertificateSigningRequestSpec.request",
          "RuntimeClass.handler",
          "RoleRef.kind",
          "Subject.kind",
          "MetricTarget.type",
          "Mutation.patchType",
          "MutatingWebhook.sideEffects",
          "ValidatingWebhook.sideEffects",
          "MutatingWebhook.name",
          "ValidatingWebhook.name",
          "Taint.effect",
          "Taint.key",
          "ContainerResizePolicy.restartPolicy",
          "AttachedVolume.name",
          "RangeAllocation.range",
          "RangeAllocation.data",
          "StatefulSetSpec.serviceName",
          "DownwardAPIVolumeFile.path",
          "ObjectReference.name",
          "GCEPersistentDiskVolumeSource.pdName",
          "ScaleIOVolumeSource.secretRef",
          "ScaleIOPersistentVolumeSource.secretRef",
          "QuobyteVolumeSource.registry",
          "ServiceAccountTokenProjection.path",
          "SecretKeySelector.key",
          "ConfigMapKeySelector.key",
          "ContainerResizePolicy.resourceName",
          "ResourceClaim.name",
          "ResourceMetricSource.name",
          "ContainerResourceMetricSource.name",
          "ContainerResourceMetricSource.container",
          "MetricIdentifier.name",
          "VolumeMount.name",
          "VolumeDevice.name");

  /** Documented with known values that are checked in other words, or not at all. */
  private static final Set<String> NOT_ENUMERATED =
      Set.of(
          "NodeSelectorRequirement.operator",
          "ServiceSpec.externalTrafficPolicy",
          "ServiceSpec.ipFamilies",
          "ResourceQuotaSpec.scopes",
          "ScopedResourceSelectorRequirement.scopeName",
          "ScopedResourceSelectorRequirement.operator",
          "LeaseSpec.strategy",
          "NodeAddress.type",
          "MetricTarget.type",
          "DeploymentStrategy.type",
          "DaemonSetUpdateStrategy.type",
          "StatefulSetUpdateStrategy.type",
          "StatefulSetSpec.podManagementPolicy",
          "MutatingWebhook.sideEffects",
          "ValidatingWebhook.sideEffects",
          "PodFailurePolicyOnExitCodesRequirement.operator",
          "PodFailurePolicyOnPodConditionsPattern.status",
          "Toleration.operator",
          "Taint.effect",
          "PodOS.name",
          "PersistentVolumeSpec.accessModes",
          "PersistentVolumeClaimSpec.accessModes",
          "ContainerResizePolicy.restartPolicy",
          "VolumeMount.mountPropagation",
          "RuleWithOperations.operations",
          "LoadBalancerIngress.ipMode");

  /** The details of causes for required fields. */
  private static final Map<String, String> DETAILS =
      Map.ofEntries(
          Map.entry("SeccompProfile.type", "type is required when seccompProfile is set"),
          Map.entry("AppArmorProfile.type", "type is required when appArmorProfile is set"),
          Map.entry("TopologySpreadConstraint.topologyKey", "can not be empty"),
          Map.entry("PodAffinityTerm.topologyKey", "can not be empty"),
          Map.entry("PolicyRule.verbs", "verbs must contain at least one value"),
          Map.entry("ResourcePolicyRule.verbs", "verbs must contain at least one value"),
          Map.entry("NonResourcePolicyRule.verbs", "verbs must contain at least one value"),
          Map.entry("PodOS.name", "cannot be empty"),
          Map.entry("NodeSelector.nodeSelectorTerms", "must have at least one node selector term"),
          Map.entry("Endpoint.addresses", "must contain at least 1 address"),
          Map.entry("HTTPIngressPath.pathType", "pathType must be specified"),
          Map.entry("IngressClassParametersReference.kind", "kind is required"),
          Map.entry("IngressClassParametersReference.name", "name is required"),
          Map.entry("Validation.expression", "expression is not specified"),
          Map.entry("Variable.name", "name is not specified"),
          Map.entry("Variable.expression", "expression is not specified"),
          Map.entry("AuditAnnotation.valueExpression", "valueExpression is not specified"),
          Map.entry("ServiceReference.name", "service name is required"),
          Map.entry("ServiceReference.namespace", "service namespace is required"),
          Map.entry(
              "SuccessPolicy.rules",
              "at least one rules must be specified when the successPolicy is specified"));

  /** Fields with rules of their own, or that Kubernetes does not validate here. */
  private static final Set<String> LEFT_OUT =
      Set.of("StatefulSetSpec.template", "PersistentVolumeClaimTemplate.metadata");

  private static final Set<String> STRUCTS_LEFT_OUT =
      Set.of("LabelSelector", "ObjectMeta", "Event", "ManagedFieldsEntry");

  /** Where the rules of a type ask for the declared ones in their order, see {@link Value}. */
  private static final Set<String> ASKED_FOR = Set.of("PodSpec");

  private record Needed(
      String field, String detail, boolean scalar, @Nullable StructSchema value) {}

  /**
   * The rules of a struct.
   *
   * @param known by the field's position, the known values, none if any is fine
   * @param below by the field's position, the struct that the field holds, directly, in a list or
   *     in a map, or null
   */
  private record Plan(List<Needed> needed, String[][] known, @Nullable StructSchema[] below) {}

  private final Map<StructSchema, Plan> plans = new ConcurrentHashMap<>();

  /** Reports what {@code object} breaks. */
  public void check(Value object, StructSchema schema) {
    if (!STRUCTS_LEFT_OUT.contains(schema.shortName())) {
      struct(object, schema, true);
    }
  }

  /** Reports what the struct at {@code value} and all below it break. */
  @Override
  public void below(Value value, StructSchema schema) {
    inStruct(value, schema, false);
  }

  /** Reports what the fields named {@code names} break, in this order. */
  @Override
  public void fields(Value value, StructSchema schema, String... names) {
    Plan plan = plan(schema);
    for (String name : names) {
      for (Needed each : plan.needed) {
        if (each.field.equals(name)) {
          needed(value, List.of(each));
        }
      }
      String[] known = plan.known[schema.indexOf(name)];
      if (known.length > 0) {
        known(value.get(name), known);
      }
    }
  }

  private void struct(Value value, StructSchema schema, boolean top) {
    if (value.inOrder() && ASKED_FOR.contains(schema.shortName())) {
      return;
    }
    inStruct(value, schema, top);
  }

  private void inStruct(Value value, StructSchema schema, boolean top) {
    Plan plan = plan(schema);
    needed(value, plan.needed);
    MapNode map = value.map();
    for (int i = 0; i < map.size(); i++) {
      String name = map.keyAt(i);
      if (top && (name.equals("status") || name.equals("metadata"))) {
        continue;
      }
      int position = schema.indexOf(name);
      if (position >= 0) {
        String[] known = plan.known[position];
        if (known.length > 0) {
          known(value.get(name), known);
        }
        StructSchema below = plan.below[position];
        if (below != null) {
          below(value.get(name), schema.fields().get(position).type(), below);
        }
      }
    }
  }

  private void needed(Value value, List<Needed> needed) {
    for (int i = 0; i < needed.size(); i++) {
      Needed each = needed.get(i);
      Node found = value.map().get(each.field);
      if (each.value != null) {
        if (found == null) {
          struct(value.get(each.field).holding(MapNode.EMPTY), each.value, false);
        }
      } else if (found == null
          || found == Node.Null.NULL
          || (each.scalar && found instanceof Node.Text text && text.value().isEmpty())
          || (found instanceof Node.Items items && items.values().isEmpty())) {
        value.get(each.field).required(each.detail);
      }
    }
  }

  private static void known(Value value, String[] known) {
    if (value.node() instanceof Node.Items) {
      for (Value each : value) {
        each.oneOf(known);
      }
    } else {
      value.oneOf(known);
    }
  }

  private void below(Value value, SchemaNode type, StructSchema struct) {
    if (type instanceof StructSchema) {
      struct(value, struct, false);
    } else {
      for (Value each : value) {
        struct(each, struct, false);
      }
    }
  }

  private Plan plan(StructSchema schema) {
    Plan known = plans.get(schema);
    if (known == null) {
      known = made(schema);
      plans.put(schema, known);
    }
    return known;
  }

  private static Plan made(StructSchema schema) {
    List<Field> fields = schema.fields();
    List<Needed> needed = new ArrayList<>();
    String[][] known = new String[fields.size()][0];
    @Nullable StructSchema[] below = new StructSchema[fields.size()];
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      String id = schema.shortName() + "." + field.name();
      if (!field.rules().known().isEmpty() && !NOT_ENUMERATED.contains(id)) {
        known[i] = field.rules().known().toArray(String[]::new);
      }
      StructSchema struct = structIn(field.type());
      boolean leftOut =
          LEFT_OUT.contains(id)
              || (struct != null && STRUCTS_LEFT_OUT.contains(struct.shortName()));
      below[i] = leftOut ? null : struct;
      if (field.rules().required() && !NOT_REQUIRED.contains(id)) {
        boolean byValue = field.presence() == Field.Presence.VALUE;
        if (canBeMissing(field) && !(byValue && leftOut)) {
          needed.add(
              new Needed(
                  field.name(),
                  DETAILS.getOrDefault(id, ""),
                  field.type() instanceof SchemaNode.Scalar,
                  byValue && field.type() instanceof StructSchema value ? value : null));
        }
      }
    }
    return new Plan(List.copyOf(needed), known, below);
  }

  /** A plain number or boolean is never missing: it is zero. */
  private static boolean canBeMissing(Field field) {
    return !(field.type() instanceof SchemaNode.Scalar scalar)
        || switch (scalar) {
          case INT32, INT64, UINT32, UINT64, DOUBLE, BOOL ->
              field.presence() == Field.Presence.POINTER;
          case TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY -> false;
          case STRING, BYTES -> true;
        };
  }

  private static @Nullable StructSchema structIn(SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> struct;
      case SchemaNode.ListOf list -> structIn(list.element());
      case SchemaNode.MapOf map -> structIn(map.value());
      case SchemaNode.Scalar _, SchemaNode.Free _ -> null;
    };
  }
}
