package dev.keelson.server.controller;

import dev.keelson.client.rest.ApiTransport;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.controller.WorkQueueMetrics;
import dev.keelson.controller.certificate.SigningAuthority;
import dev.keelson.controller.manager.ControllerFactory;
import dev.keelson.controller.manager.ControllerManager;
import dev.keelson.http.loopback.Loopback;
import dev.keelson.request.UserInfo;
import dev.keelson.scheduler.Scheduler;
import dev.keelson.scheduler.SchedulerMetrics;
import dev.keelson.simulation.Behaviors;
import dev.keelson.simulation.NodePod;
import dev.keelson.simulation.SimulatedNodes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The controllers, the scheduler and the simulated nodes of this server: each group behind an
 * election of its own, under the names of Kubernetes, so that its programs take the place of ours
 * and the other way round.
 */
public final class ControlPlane implements AutoCloseable {

  private final List<ControllerManager> managers = new ArrayList<>();

  /**
   * Not yet started.
   *
   * @param authority the server's own authority, which signs requests unless another is configured
   * @param identity the name of this server in the elections
   * @param version the version of Kubernetes that simulated nodes tell
   * @param metrics of the scheduler
   * @param queues of all controllers
   * @param evictions of the controllers that delete pods for taints
   * @param silentBefore how long nodes are taken to have been silent when this starts
   * @throws IllegalArgumentException if the file of the simulated nodes is wrong
   */
  public ControlPlane(
      Loopback loopback,
      ControllerOptions options,
      SigningAuthority authority,
      String identity,
      String version,
      SchedulerMetrics metrics,
      WorkQueueMetrics queues,
      EvictionMeters evictions,
      InstantSource clock,
      Duration silentBefore) {
    add(
        loopback,
        options,
        "kube-controller-manager",
        user("system:kube-controller-manager", "system:authenticated"),
        identity,
        measured(controllers(options, authority, evictions, silentBefore), queues),
        clock);
    if (options.scheduler()) {
      add(
          loopback,
          options,
          "kube-scheduler",
          user("system:kube-scheduler", "system:authenticated"),
          identity,
          scheduler(metrics),
          clock);
    }
    if (options.simulatedNodes() > 0) {
      Behaviors behaviors = SimulatedText.behaviors(options.stages());
      add(
          loopback,
          options,
          "keelson-simulated-nodes",
          // stands for many kubelets and, until a controller does it, for those who look after
          // nodes
          user("system:keelson:simulated-nodes", "system:masters"),
          identity,
          measured(
              List.of(
                  new ControllerFactory(
                      "simulated-nodes",
                      context ->
                          new SimulatedNodes(
                              context.ownClient(),
                              context.informers().of(NodePod.TYPE),
                              behaviors,
                              options.simulatedNodes(),
                              version,
                              clock,
                              context.nanos()))),
              queues),
          clock);
    }
  }

  /**
   * The enabled ones of the controllers that run in one process at a time.
   *
   * @param authority signs requests for certificates unless another is configured; null for none
   * @param evictions counts the pods that are deleted for taints
   */
  public static List<ControllerFactory> controllers(
      ControllerOptions options, @Nullable SigningAuthority authority, EvictionMeters evictions) {
    return controllers(options, authority, evictions, Duration.ZERO);
  }

  private static List<ControllerFactory> controllers(
      ControllerOptions options,
      @Nullable SigningAuthority authority,
      EvictionMeters evictions,
      Duration silentBefore) {
    return Stream.concat(
            ElectedControllers.of(options, evictions, silentBefore).stream(),
            ClusterControllers.of(options, authority).stream())
        .toList();
  }

  /** The same, with queues that {@code metrics} measures. */
  public static List<ControllerFactory> measured(
      List<ControllerFactory> controllers, WorkQueueMetrics metrics) {
    return controllers.stream().map(each -> each.measuredBy(metrics)).toList();
  }

  /** The scheduler. */
  public static List<ControllerFactory> scheduler(SchedulerMetrics metrics) {
    return List.of(
        new ControllerFactory(
            "scheduler", context -> new Scheduler(context, HostName.ofThisHost(), metrics)));
  }

  private static UserInfo user(String name, String group) {
    return new UserInfo(name, "", List.of(group), Map.of());
  }

  private void add(
      Loopback loopback,
      ControllerOptions options,
      String lease,
      UserInfo user,
      String identity,
      List<ControllerFactory> factories,
      InstantSource clock) {
    ApiTransport own = loopback.as(user, "keelson/" + lease);
    managers.add(
        new ControllerManager(
            new ControllerManager.Transports(own, own, loopback::serviceAccount),
            ElectedControllers.terms(options, lease, identity),
            factories,
            /* lost= */ null,
            clock,
            System::nanoTime));
  }

  /** Begins in the background. */
  public void start() {
    managers.forEach(ControllerManager::start);
  }

  @Override
  public void close() {
    managers.forEach(ControllerManager::close);
  }
}
