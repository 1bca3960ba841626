package dev.keelson.admission.plugin;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.ReinvocationContext;
import dev.keelson.admission.plugin.certificate.CertificateApproval;
import dev.keelson.admission.plugin.certificate.CertificateSigning;
import dev.keelson.admission.plugin.certificate.CertificateSubjectRestriction;
import dev.keelson.admission.plugin.certificate.ClusterTrustBundleAttest;
import dev.keelson.admission.plugin.network.DefaultIngressClass;
import dev.keelson.admission.plugin.network.DenyServiceExternalIps;
import dev.keelson.admission.plugin.node.NodeDeclaredFeatures;
import dev.keelson.admission.plugin.node.NodeRestriction;
import dev.keelson.admission.plugin.node.PodResizeValidator;
import dev.keelson.admission.plugin.node.PodTopologyLabels;
import dev.keelson.admission.plugin.node.TaintNodesByCondition;
import dev.keelson.admission.plugin.pod.AlwaysPullImages;
import dev.keelson.admission.plugin.pod.DefaultTolerations;
import dev.keelson.admission.plugin.pod.ExtendedResourceToleration;
import dev.keelson.admission.plugin.pod.HardAntiAffinityLimit;
import dev.keelson.admission.plugin.pod.PodPriority;
import dev.keelson.admission.plugin.pod.PodRuntimeClass;
import dev.keelson.admission.plugin.pod.PodServiceAccount;
import dev.keelson.admission.plugin.storage.DefaultStorageClass;
import dev.keelson.admission.plugin.storage.PersistentVolumeClaimResize;
import dev.keelson.admission.plugin.storage.StorageObjectInUseProtection;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.Authorizer;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * The enabled admission plugins in order. If a webhook or a policy changes an object that an
 * earlier one with {@code reinvocationPolicy: IfNeeded} has seen, the mutating phase runs once more
 * (source: apiserver's {@code admission.NewReinvocationHandler}).
 */
public final class PluginChain implements Admission {

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** More combinations than the built-in resources have; custom ones come and go. */
  private static final int MOST_INDEXED = 10_000;

  /** A kind of write, for which the plugins that handle it are remembered. */
  private record Write(Verb operation, GroupResource resource, String subresource) {}

  private final List<Admission> plugins;
  private final AdmissionMetrics metrics;
  private final Map<Write, List<Admission>> index = new ConcurrentHashMap<>();

  private PluginChain(List<Admission> plugins, AdmissionMetrics metrics) {
    this.plugins = List.copyOf(plugins);
    this.metrics = metrics;
  }

  /**
   * Creates the chain of {@code options}.
   *
   * @param authorizer authorizes additional verbs
   * @param others the plugins of other packages, at least the enabled ones
   */
  public static PluginChain of(
      PluginOptions options,
      ClusterObjects objects,
      Authorizer authorizer,
      RandomGenerator random,
      Map<PluginName, Admission> others) {
    return of(options, objects, authorizer, random, others, AdmissionMetrics.NONE);
  }

  /**
   * Creates the chain of {@code options}.
   *
   * @param authorizer authorizes additional verbs
   * @param others the plugins of other packages, at least the enabled ones
   * @param metrics gets the durations
   * @throws IllegalStateException if an enabled plugin of another package is missing
   */
  public static PluginChain of(
      PluginOptions options,
      ClusterObjects objects,
      Authorizer authorizer,
      RandomGenerator random,
      Map<PluginName, Admission> others,
      AdmissionMetrics metrics) {
    List<Admission> plugins = new ArrayList<>();
    for (PluginName name : PluginName.values()) {
      if (options.enabled().contains(name)) {
        Admission plugin = plugin(name, options, objects, authorizer, random, others);
        // what does nothing is not worth a measurement
        if (plugin != Admission.NONE) {
          plugins.add(
              metrics == AdmissionMetrics.NONE
                  ? plugin
                  : new MeasuredPlugin(name.text(), plugin, metrics::plugin));
        }
      }
    }
    return new PluginChain(plugins, metrics);
  }

  private static Admission plugin(
      PluginName name,
      PluginOptions options,
      ClusterObjects objects,
      Authorizer authorizer,
      RandomGenerator random,
      Map<PluginName, Admission> others) {
    return switch (name) {
      // namespace checks come before mutation; the last three have nothing to check here
      case ALWAYS_ADMIT,
          NAMESPACE_AUTO_PROVISION,
          NAMESPACE_LIFECYCLE,
          NAMESPACE_EXISTS,
          POD_GROUP_PROTECTION,
          POD_GROUP_WORKLOAD_EXISTS,
          JOB_VALIDATION ->
          Admission.NONE;
      case LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY -> new HardAntiAffinityLimit();
      case TAINT_NODES_BY_CONDITION -> new TaintNodesByCondition();
      case EXTENDED_RESOURCE_TOLERATION -> new ExtendedResourceToleration();
      case DEFAULT_STORAGE_CLASS -> new DefaultStorageClass(objects);
      case STORAGE_OBJECT_IN_USE_PROTECTION -> new StorageObjectInUseProtection();
      case PERSISTENT_VOLUME_CLAIM_RESIZE -> new PersistentVolumeClaimResize(objects);
      case CERTIFICATE_APPROVAL -> new CertificateApproval(authorizer);
      case CERTIFICATE_SIGNING -> new CertificateSigning(authorizer);
      case CLUSTER_TRUST_BUNDLE_ATTEST -> new ClusterTrustBundleAttest(authorizer);
      case CERTIFICATE_SUBJECT_RESTRICTION -> new CertificateSubjectRestriction();
      case DEFAULT_INGRESS_CLASS -> new DefaultIngressClass(objects);
      case DENY_SERVICE_EXTERNAL_IPS -> new DenyServiceExternalIps();
      case POD_TOPOLOGY_LABELS -> new PodTopologyLabels(objects);
      case NODE_DECLARED_FEATURE_VALIDATOR -> new NodeDeclaredFeatures(objects);
      case POD_RESIZE_VALIDATOR -> new PodResizeValidator(objects);
      case ALWAYS_PULL_IMAGES -> new AlwaysPullImages();
      case SERVICE_ACCOUNT -> new PodServiceAccount(objects, random, PAUSE);
      case NODE_RESTRICTION -> new NodeRestriction(objects, authorizer);
      case PRIORITY -> new PodPriority(objects);
      case DEFAULT_TOLERATION_SECONDS ->
          new DefaultTolerations(options.notReadySeconds(), options.unreachableSeconds());
      case RUNTIME_CLASS -> new PodRuntimeClass(objects);
      case IMAGE_POLICY_WEBHOOK,
          POD_SECURITY,
          POD_NODE_SELECTOR,
          POD_TOLERATION_RESTRICTION,
          EVENT_RATE_LIMIT,
          OWNER_REFERENCES_PERMISSION_ENFORCEMENT,
          MUTATING_ADMISSION_POLICY,
          MUTATING_ADMISSION_WEBHOOK,
          VALIDATING_ADMISSION_POLICY,
          VALIDATING_ADMISSION_WEBHOOK,
          LIMIT_RANGER,
          RESOURCE_QUOTA ->
          supplied(name, others);
      case ALWAYS_DENY -> new AlwaysDeny();
    };
  }

  private static Admission supplied(PluginName name, Map<PluginName, Admission> others) {
    Admission plugin = others.get(name);
    if (plugin == null) {
      throw new IllegalStateException("no " + name.text() + " is supplied, but it is enabled");
    }
    return plugin;
  }

  private List<Admission> handling(AdmissionAttributes call) {
    Write write =
        new Write(call.operation(), call.definition().groupResource(), call.subresource());
    List<Admission> known = index.get(write);
    return known == null ? indexed(write) : known;
  }

  private List<Admission> indexed(Write write) {
    List<Admission> handling =
        plugins.stream()
            .filter(plugin -> plugin.handles(write.operation, write.resource, write.subresource))
            .toList();
    if (index.size() >= MOST_INDEXED) {
      index.clear();
    }
    index.put(write, handling);
    return handling;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return !indexed(new Write(operation, resource, subresource)).isEmpty();
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    List<Admission> handling = handling(call);
    if (handling.isEmpty()) {
      return object;
    }
    return new MeasuredPlugin("", new Step(handling), this::step).mutate(call, object);
  }

  private void step(
      String unnamed, Verb operation, AdmissionMetrics.Phase phase, boolean rejected, long nanos) {
    metrics.step(operation, phase, rejected, nanos);
  }

  /** The plugins that handle a write, as one. */
  private record Step(List<Admission> handling) implements Admission {

    @Override
    public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
      ApiObject next = mutated(handling, call, object);
      ReinvocationContext reinvocation = call.reinvocation();
      if (reinvocation.shouldReinvoke()) {
        reinvocation.beginReinvoke();
        next = mutated(handling, call, next);
      }
      return next;
    }

    @Override
    public void mutateDelete(AdmissionAttributes call) {
      handling.forEach(plugin -> plugin.mutateDelete(call));
    }

    @Override
    public void validate(AdmissionAttributes call) {
      handling.forEach(plugin -> plugin.validate(call));
    }
  }

  private static ApiObject mutated(
      List<Admission> handling, AdmissionAttributes call, ApiObject object) {
    ApiObject next = object;
    for (Admission plugin : handling) {
      next = plugin.mutate(call, next);
    }
    return next;
  }

  @Override
  public void mutateDelete(AdmissionAttributes call) {
    List<Admission> handling = handling(call);
    if (!handling.isEmpty()) {
      new MeasuredPlugin("", new Step(handling), this::step).mutateDelete(call);
    }
  }

  @Override
  public void validate(AdmissionAttributes call) {
    List<Admission> handling = handling(call);
    if (!handling.isEmpty()) {
      new MeasuredPlugin("", new Step(handling), this::step).validate(call);
    }
  }
}
