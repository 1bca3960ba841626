package dev.keelson.server.registry;

import dev.keelson.admission.Admission;
import dev.keelson.admission.policy.PolicySource;
import dev.keelson.admission.webhook.Step;
import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authz.node.GraphSource;
import dev.keelson.authz.rbac.EscalationCheck;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.cel.schema.ObjectExpressions;
import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.controller.storage.ProtectionSource;
import dev.keelson.registry.CustomRules;
import dev.keelson.registry.Defaulting;
import dev.keelson.registry.Initializers;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.ObjectRules;
import dev.keelson.registry.SchemaRules;
import dev.keelson.registry.Strategies;
import dev.keelson.registry.apiextensions.CustomResourceDefinitionStrategy;
import dev.keelson.registry.apiregistration.ApiServiceStrategy;
import dev.keelson.registry.apps.DaemonSetStrategy;
import dev.keelson.registry.apps.DeploymentStrategy;
import dev.keelson.registry.batch.JobStrategy;
import dev.keelson.registry.certificates.SigningRequestStrategy;
import dev.keelson.registry.core.ClaimStrategy;
import dev.keelson.registry.core.LimitRangeStrategy;
import dev.keelson.registry.core.NamespaceStrategy;
import dev.keelson.registry.core.NodeStrategy;
import dev.keelson.registry.core.PodStrategy;
import dev.keelson.registry.core.ServiceAccountStrategy;
import dev.keelson.registry.core.VolumeStrategy;
import dev.keelson.registry.discovery.EndpointSliceStrategy;
import dev.keelson.registry.fieldmanager.StructuredMergeManager;
import dev.keelson.registry.resource.ResourceClaimStrategy;
import dev.keelson.registry.resource.ResourceSliceStrategy;
import dev.keelson.registry.scheduling.PriorityClassStrategy;
import dev.keelson.registry.service.ServiceStrategy;
import dev.keelson.registry.write.ObjectMetaValidation;
import dev.keelson.registry.write.WriteSteps;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.structural.validation.CustomObjectValidation;
import dev.keelson.schema.validation.ObjectValidation;
import dev.keelson.schema.validation.builtin.BuiltInRules;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Creates the write steps of the built-in types. */
public final class BuiltInSteps {

  private BuiltInSteps() {}

  /**
   * The steps for the resources of {@code catalog} without admission, with every feature.
   *
   * @param codec converts between versions
   * @param clock supplies the time of managed fields entries
   * @param services allocates cluster IPs and node ports
   */
  public static WriteSteps of(
      ResourceCatalog catalog, ObjectCodec codec, InstantSource clock, ServiceStrategy services) {
    FeatureGates every = FeatureGates.DEFAULT.with(Feature.ALL_ALPHA, true);
    return of(catalog, codec, clock, services, Admission.NONE, every);
  }

  /** The steps for the resources of {@code catalog}, whose expressions are not measured. */
  public static WriteSteps of(
      ResourceCatalog catalog,
      ObjectCodec codec,
      InstantSource clock,
      ServiceStrategy services,
      Admission admission,
      FeatureGates gates) {
    ExpressionMeters meters = new ExpressionMeters(new CompositeMeterRegistry());
    return of(catalog, codec, clock, services, admission, gates, meters, /* privileged= */ true);
  }

  /**
   * The steps for the resources of {@code catalog}.
   *
   * @param privileged whether pods may have privileged containers
   */
  public static WriteSteps of(
      ResourceCatalog catalog,
      ObjectCodec codec,
      InstantSource clock,
      ServiceStrategy services,
      Admission admission,
      FeatureGates gates,
      ExpressionMeters meters,
      boolean privileged) {
    boolean initializers = gates.on(Feature.INITIALIZERS);
    ObjectValidation validation =
        BuiltInRules.validation(
            new DeviceSelectors(),
            new DefinitionDefaults(
                storedNamespace(catalog).schema(), ObjectMetaValidation::validateEmbedded),
            meters.compilation(new DefinitionExpressions()),
            new CompiledPolicyExpressions(),
            gates);
    ObjectRules rules =
        new CustomRules(
            new SchemaRules(privileged ? validation : validation.withoutPrivileged()),
            new CustomObjectValidation(
                ObjectMetaValidation::validateEmbedded, meters.evaluation(new ObjectExpressions())),
            codec);
    return new WriteSteps(
        initializers
            ? Initializers.dropEmpty(Defaulting.bySchema())
            : Initializers.dropDisabled(Defaulting.bySchema()),
        new StructuredMergeManager(catalog, codec, clock),
        admission,
        strategies(catalog, services, clock),
        initializers ? Initializers.validating(rules) : rules);
  }

  private static Strategies strategies(
      ResourceCatalog catalog, ServiceStrategy services, InstantSource clock) {
    GroupVersion apps = new GroupVersion("apps", "v1");
    GroupVersion devices = new GroupVersion("resource.k8s.io", "v1");
    GroupVersion certificates = new GroupVersion("certificates.k8s.io", "v1");
    return new Strategies(
        Map.ofEntries(
            Map.entry(GroupVersion.CORE_V1.kind("Service"), services),
            Map.entry(storedNamespace(catalog).kind(), new NamespaceStrategy()),
            Map.entry(GroupVersion.CORE_V1.kind("Pod"), new PodStrategy(clock)),
            Map.entry(GroupVersion.CORE_V1.kind("Node"), new NodeStrategy()),
            Map.entry(GroupVersion.CORE_V1.kind("PersistentVolume"), new VolumeStrategy(clock)),
            Map.entry(GroupVersion.CORE_V1.kind("PersistentVolumeClaim"), new ClaimStrategy()),
            Map.entry(GroupVersion.CORE_V1.kind("LimitRange"), new LimitRangeStrategy()),
            Map.entry(GroupVersion.CORE_V1.kind("ServiceAccount"), new ServiceAccountStrategy()),
            Map.entry(
                new GroupVersion("apiregistration.k8s.io", "v1").kind("APIService"),
                new ApiServiceStrategy(clock)),
            Map.entry(apps.kind("Deployment"), new DeploymentStrategy()),
            Map.entry(devices.kind("ResourceClaim"), new ResourceClaimStrategy()),
            Map.entry(devices.kind("ResourceSlice"), new ResourceSliceStrategy(clock)),
            Map.entry(apps.kind("DaemonSet"), new DaemonSetStrategy()),
            Map.entry(storedDefinitions(catalog).kind(), new CustomResourceDefinitionStrategy()),
            Map.entry(new GroupVersion("batch", "v1").kind("Job"), new JobStrategy()),
            Map.entry(
                new GroupVersion("discovery.k8s.io", "v1").kind("EndpointSlice"),
                new EndpointSliceStrategy()),
            Map.entry(
                new GroupVersion("scheduling.k8s.io", "v1").kind("PriorityClass"),
                new PriorityClassStrategy()),
            Map.entry(
                certificates.kind("CertificateSigningRequest"),
                new SigningRequestStrategy(clock))));
  }

  /** Returns the stored types of roles and bindings. */
  public static Map<RoleSource.Kind, StoredType> storedRoles(ResourceCatalog catalog) {
    Map<RoleSource.Kind, StoredType> types = new EnumMap<>(RoleSource.Kind.class);
    for (RoleSource.Kind kind : RoleSource.Kind.values()) {
      types.put(kind, stored(catalog, EscalationCheck.GROUP, kind.resource()));
    }
    return types;
  }

  /** Returns the stored types of the node graph. */
  public static Map<GraphSource.Kind, StoredType> storedGraph(ResourceCatalog catalog) {
    Map<GraphSource.Kind, StoredType> types = new EnumMap<>(GraphSource.Kind.class);
    for (GraphSource.Kind kind : GraphSource.Kind.values()) {
      types.put(kind, stored(catalog, kind.group(), kind.resource()));
    }
    return types;
  }

  /** Returns the stored types of Secrets and service accounts. */
  public static Map<TokenSource.Kind, StoredType> storedTokens(ResourceCatalog catalog) {
    Map<TokenSource.Kind, StoredType> types = new EnumMap<>(TokenSource.Kind.class);
    for (TokenSource.Kind kind : TokenSource.Kind.values()) {
      types.put(kind, stored(catalog, "", kind.resource()));
    }
    return types;
  }

  /** Returns the stored types of the objects that are protected while they are used. */
  public static Map<ProtectionSource.Kind, StoredType> storedVolumes(ResourceCatalog catalog) {
    Map<ProtectionSource.Kind, StoredType> types = new EnumMap<>(ProtectionSource.Kind.class);
    for (ProtectionSource.Kind kind : ProtectionSource.Kind.values()) {
      types.put(kind, stored(catalog, kind.resource().group(), kind.resource().resource()));
    }
    return types;
  }

  /** Returns the stored types of objects that tokens are bound to. */
  public static List<StoredType> storedBoundObjects(ResourceCatalog catalog) {
    return Stream.of("serviceaccounts", "pods", "nodes")
        .map(resource -> stored(catalog, "", resource))
        .toList();
  }

  /** Returns the stored types of webhook configurations. */
  public static Map<Step, StoredType> storedWebhooks(ResourceCatalog catalog) {
    Map<Step, StoredType> types = new EnumMap<>(Step.class);
    for (Step step : Step.values()) {
      types.put(step, stored(catalog, "admissionregistration.k8s.io", step.configurations()));
    }
    return types;
  }

  /** Returns the stored types of admission policies and their bindings. */
  public static Map<PolicySource.Kind, StoredType> storedPolicies(ResourceCatalog catalog) {
    Map<PolicySource.Kind, StoredType> types = new EnumMap<>(PolicySource.Kind.class);
    for (PolicySource.Kind kind : PolicySource.Kind.values()) {
      types.put(kind, stored(catalog, PolicySource.Kind.GROUP, kind.resource()));
    }
    return types;
  }

  /** Returns the stored types that configure admission. */
  public static List<StoredType> storedAdmission(ResourceCatalog catalog) {
    return Stream.concat(
            Stream.of(PolicySource.Kind.values()).map(PolicySource.Kind::resource),
            Stream.of("mutatingwebhookconfigurations", "validatingwebhookconfigurations"))
        .map(resource -> stored(catalog, PolicySource.Kind.GROUP, resource))
        .toList();
  }

  /** Returns the stored type of AuditSinks; empty if they are not served. */
  public static Optional<StoredType> storedAuditSinks(ResourceCatalog catalog) {
    return catalog
        .snapshot()
        .find(new GroupVersionResource("auditregistration.k8s.io", "v1alpha1", "auditsinks"))
        .map(ResourceDefinition::storage);
  }

  /** Returns the stored type of a resource. */
  public static StoredType stored(ResourceCatalog catalog, String group, String resource) {
    return catalog
        .snapshot()
        .find(new GroupVersionResource(group, "v1", resource))
        .map(ResourceDefinition::storage)
        .orElseThrow();
  }

  /** Returns the stored type of CustomResourceDefinitions. */
  public static StoredType storedDefinitions(ResourceCatalog catalog) {
    return stored(catalog, "apiextensions.k8s.io", "customresourcedefinitions");
  }

  /** Returns the stored type of namespaces. */
  public static StoredType storedNamespace(ResourceCatalog catalog) {
    return stored(catalog, "", "namespaces");
  }
}
