package dev.keelson.admission.plugin;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.plugin.node.NodeRestriction;
import dev.keelson.admission.plugin.pod.AlwaysPullImages;
import dev.keelson.admission.plugin.pod.DefaultTolerations;
import dev.keelson.admission.plugin.pod.PodPriority;
import dev.keelson.admission.plugin.pod.PodRuntimeClass;
import dev.keelson.admission.plugin.pod.PodServiceAccount;
import dev.keelson.authz.Authorizer;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The enabled admission plugins in order. */
public final class PluginChain implements Admission {

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final List<Admission> steps;

  private PluginChain(List<Admission> steps) {
    this.steps = List.copyOf(steps);
  }

  /**
   * Creates the chain of {@code options}.
   *
   * @param authorizer authorizes additional verbs
   */
  public static PluginChain of(
      PluginOptions options,
      ClusterObjects objects,
      Authorizer authorizer,
      RandomGenerator random) {
    List<Admission> steps = new ArrayList<>();
    for (PluginName name : PluginName.values()) {
      if (options.enabled().contains(name)) {
        steps.add(step(name, options, objects, authorizer, random));
      }
    }
    return new PluginChain(steps);
  }

  private static Admission step(
      PluginName name,
      PluginOptions options,
      ClusterObjects objects,
      Authorizer authorizer,
      RandomGenerator random) {
    return switch (name) {
      // namespace checks come before mutation
      case ALWAYS_ADMIT, NAMESPACE_AUTO_PROVISION, NAMESPACE_LIFECYCLE, NAMESPACE_EXISTS ->
          Admission.NONE;
      case ALWAYS_PULL_IMAGES -> new AlwaysPullImages();
      case SERVICE_ACCOUNT -> new PodServiceAccount(objects, random, PAUSE);
      case NODE_RESTRICTION -> new NodeRestriction(objects, authorizer);
      case PRIORITY -> new PodPriority(objects);
      case DEFAULT_TOLERATION_SECONDS ->
          new DefaultTolerations(options.notReadySeconds(), options.unreachableSeconds());
      case RUNTIME_CLASS -> new PodRuntimeClass(objects);
      case ALWAYS_DENY -> new AlwaysDeny();
    };
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    ApiObject next = object;
    for (Admission step : steps) {
      next = step.mutate(call, next);
    }
    return next;
  }

  @Override
  public void validate(AdmissionAttributes call) {
    for (Admission step : steps) {
      step.validate(call);
    }
  }
}
