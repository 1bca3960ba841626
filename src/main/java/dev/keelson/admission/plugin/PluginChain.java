package dev.keelson.admission.plugin;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.ReinvocationContext;
import dev.keelson.admission.plugin.node.NodeRestriction;
import dev.keelson.admission.plugin.pod.AlwaysPullImages;
import dev.keelson.admission.plugin.pod.DefaultTolerations;
import dev.keelson.admission.plugin.pod.PodPriority;
import dev.keelson.admission.plugin.pod.PodRuntimeClass;
import dev.keelson.admission.plugin.pod.PodServiceAccount;
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
  private final Map<Write, List<Admission>> index = new ConcurrentHashMap<>();

  private PluginChain(List<Admission> plugins) {
    this.plugins = List.copyOf(plugins);
  }

  /**
   * Creates the chain of {@code options}.
   *
   * @param authorizer authorizes additional verbs
   * @param others the plugins of other packages
   */
  public static PluginChain of(
      PluginOptions options,
      ClusterObjects objects,
      Authorizer authorizer,
      RandomGenerator random,
      Map<PluginName, Admission> others) {
    List<Admission> plugins = new ArrayList<>();
    for (PluginName name : PluginName.values()) {
      if (options.enabled().contains(name)) {
        plugins.add(plugin(name, options, objects, authorizer, random, others));
      }
    }
    return new PluginChain(plugins);
  }

  private static Admission plugin(
      PluginName name,
      PluginOptions options,
      ClusterObjects objects,
      Authorizer authorizer,
      RandomGenerator random,
      Map<PluginName, Admission> others) {
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
      case MUTATING_ADMISSION_WEBHOOK, VALIDATING_ADMISSION_WEBHOOK, LIMIT_RANGER, RESOURCE_QUOTA ->
          others.getOrDefault(name, Admission.NONE);
      case ALWAYS_DENY -> new AlwaysDeny();
    };
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
    ApiObject next = mutated(handling, call, object);
    ReinvocationContext reinvocation = call.reinvocation();
    if (reinvocation.shouldReinvoke()) {
      reinvocation.beginReinvoke();
      next = mutated(handling, call, next);
    }
    return next;
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
    for (Admission plugin : handling(call)) {
      plugin.mutateDelete(call);
    }
  }

  @Override
  public void validate(AdmissionAttributes call) {
    for (Admission plugin : handling(call)) {
      plugin.validate(call);
    }
  }
}
