package dev.keelson.server.controller;

import dev.keelson.client.election.LeaseTerms;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.config.option.AutoscalerOptions;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.config.option.NodeIpamOptions;
import dev.keelson.controller.autoscaler.AutoscalerController;
import dev.keelson.controller.autoscaler.AutoscalerSettings;
import dev.keelson.controller.cronjob.CronJobController;
import dev.keelson.controller.cronjob.CronJobFacts;
import dev.keelson.controller.daemonset.DaemonNode;
import dev.keelson.controller.daemonset.DaemonSetController;
import dev.keelson.controller.daemonset.DaemonSetFacts;
import dev.keelson.controller.deployment.DeploymentController;
import dev.keelson.controller.devicetaint.DeviceTaintEvictionController;
import dev.keelson.controller.disruption.DisruptionController;
import dev.keelson.controller.endpoint.EndpointSliceController;
import dev.keelson.controller.endpoint.EndpointsController;
import dev.keelson.controller.ipam.NodeIpamController;
import dev.keelson.controller.ipam.NodeRanges;
import dev.keelson.controller.job.JobController;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.manager.ControllerFactory;
import dev.keelson.controller.mirroring.EndpointSliceMirroringController;
import dev.keelson.controller.node.NodeLifecycleController;
import dev.keelson.controller.node.SilenceSettings;
import dev.keelson.controller.node.TaintEvictionController;
import dev.keelson.controller.node.TtlController;
import dev.keelson.controller.podgc.NodeState;
import dev.keelson.controller.podgc.PodGarbageCollector;
import dev.keelson.controller.replicaset.ReplicaSetController;
import dev.keelson.controller.statefulset.StatefulSetController;
import dev.keelson.controller.statefulset.StatefulSetFacts;
import dev.keelson.controller.ttlafterfinished.TtlAfterFinishedController;
import dev.keelson.controller.workload.ClaimFacts;
import dev.keelson.controller.workload.JobFacts;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.controller.workload.RevisionFacts;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The controllers that run in one server at a time, by kube-controller-manager's names. */
final class ElectedControllers {

  private ElectedControllers() {}

  /**
   * The enabled ones.
   *
   * @param evictions counts the pods that are deleted for taints
   * @param silentBefore how long nodes are taken to have been silent when they are seen first
   */
  static List<ControllerFactory> of(
      ControllerOptions options, EvictionMeters evictions, Duration silentBefore) {
    return Stream.concat(all(options, evictions, silentBefore).stream(), ipam(options.ipam()))
        .filter(each -> options.enabled(each.name()))
        .toList();
  }

  private static List<ControllerFactory> all(
      ControllerOptions options, EvictionMeters evictions, Duration silentBefore) {
    return List.of(
        new ControllerFactory("disruption-controller", DisruptionController::new),
        new ControllerFactory(
            "pod-garbage-collector-controller",
            context -> podGarbage(context, options.mostEndedPods())),
        new ControllerFactory("daemonset-controller", ElectedControllers::daemonSets),
        new ControllerFactory("statefulset-controller", ElectedControllers::statefulSets),
        new ControllerFactory("replicaset-controller", ElectedControllers::replicaSets),
        new ControllerFactory(
            "replicationcontroller-controller", ElectedControllers::replicationControllers),
        new ControllerFactory("deployment-controller", ElectedControllers::deployments),
        new ControllerFactory("job-controller", ElectedControllers::jobs),
        new ControllerFactory("ttl-after-finished-controller", ElectedControllers::jobTimes),
        new ControllerFactory("cronjob-controller", ElectedControllers::cronJobs),
        new ControllerFactory("endpointslice-controller", EndpointSliceController::new),
        new ControllerFactory("endpoints-controller", EndpointsController::new),
        new ControllerFactory(
            "endpointslice-mirroring-controller", EndpointSliceMirroringController::new),
        new ControllerFactory(
            "horizontal-pod-autoscaler-controller",
            context -> new AutoscalerController(context, settings(options.autoscaler()))),
        new ControllerFactory(
            "node-lifecycle-controller",
            context ->
                new NodeLifecycleController(context, settings(options.silence()), silentBefore)),
        new ControllerFactory("ttl-controller", TtlController::new),
        new ControllerFactory(
            "taint-eviction-controller",
            context ->
                new TaintEvictionController(context, evictions.of("taint_eviction_controller"))),
        new ControllerFactory(
            DeviceTaintEvictionController.NAME,
            context ->
                new DeviceTaintEvictionController(
                    context, evictions.of("device_taint_eviction_controller"))));
  }

  private static Stream<ControllerFactory> ipam(NodeIpamOptions options) {
    if (options.ranges().isEmpty()) {
      return Stream.of();
    }
    NodeRanges ranges =
        new NodeRanges(
            options.ranges().stream()
                .map(range -> new NodeRanges.Range(range.cidr(), range.prefixLength()))
                .toList(),
            options.services());
    return Stream.of(
        new ControllerFactory(
            "node-ipam-controller", context -> new NodeIpamController(context, ranges)));
  }

  private static AutoscalerSettings settings(AutoscalerOptions options) {
    return new AutoscalerSettings(
        options.workers(),
        options.period(),
        options.stabilization(),
        options.tolerance(),
        options.cpuInitialization(),
        options.initialReadiness(),
        options.scaleToZero());
  }

  private static SilenceSettings settings(ControllerOptions.Silence options) {
    return new SilenceSettings(
        options.period(),
        options.grace(),
        options.startupGrace(),
        options.evictionRate(),
        options.secondaryRate(),
        options.largeZone(),
        options.unhealthyShare());
  }

  private static ReplicaSetController replicaSets(ControllerContext context) {
    return new ReplicaSetController(
        context.client(ReplicaSetController.NAME),
        context.informers().of(PodFacts.TYPE),
        context.informers().of(ReplicaSetFacts.TYPE),
        context.clock(),
        context.nanos());
  }

  private static ReplicaSetController replicationControllers(ControllerContext context) {
    return ReplicaSetController.ofReplicationControllers(
        context.client(ReplicaSetController.REPLICATION_CONTROLLER),
        context.informers().of(PodFacts.TYPE),
        context.informers().of(ReplicaSetFacts.REPLICATION_CONTROLLERS),
        context.clock(),
        context.nanos());
  }

  private static DeploymentController deployments(ControllerContext context) {
    return new DeploymentController(
        context.client(DeploymentController.NAME),
        context.informers().of(PodFacts.TYPE),
        context.informers().of(ReplicaSetFacts.TYPE),
        context.clock(),
        context.nanos());
  }

  private static JobController jobs(ControllerContext context) {
    return new JobController(
        context.client(JobController.NAME),
        context.informers().of(PodFacts.TYPE),
        context.informers().of(JobFacts.TYPE),
        context.clock(),
        context.nanos());
  }

  private static PodGarbageCollector podGarbage(ControllerContext context, int mostEnded) {
    return new PodGarbageCollector(
        context.client(PodGarbageCollector.NAME),
        context.informers().of(PodFacts.TYPE),
        context.informers().of(NodeState.TYPE),
        context.clock(),
        context.nanos(),
        mostEnded);
  }

  private static DaemonSetController daemonSets(ControllerContext context) {
    return new DaemonSetController(
        context.client(DaemonSetController.NAME),
        new DaemonSetController.Informers(
            context.informers().of(PodFacts.TYPE),
            context.informers().of(DaemonNode.TYPE),
            context.informers().of(DaemonSetFacts.TYPE),
            context.informers().of(RevisionFacts.TYPE)),
        context.clock(),
        context.nanos());
  }

  private static StatefulSetController statefulSets(ControllerContext context) {
    return new StatefulSetController(
        context.client(StatefulSetController.NAME),
        new StatefulSetController.Informers(
            context.informers().of(PodFacts.TYPE),
            context.informers().of(StatefulSetFacts.TYPE),
            context.informers().of(RevisionFacts.TYPE),
            context.informers().of(ClaimFacts.TYPE)),
        context.clock(),
        context.nanos());
  }

  private static CronJobController cronJobs(ControllerContext context) {
    return new CronJobController(
        context.client(CronJobController.NAME),
        context.informers().of(JobFacts.TYPE),
        context.informers().of(CronJobFacts.TYPE),
        context.clock(),
        context.nanos());
  }

  private static TtlAfterFinishedController jobTimes(ControllerContext context) {
    return new TtlAfterFinishedController(
        context.client(TtlAfterFinishedController.NAME),
        context.informers().of(JobFacts.TYPE),
        context.clock());
  }

  /**
   * The terms of the election for a Lease in {@code kube-system}; null without one.
   *
   * @param identity the name of this candidate
   */
  static @Nullable LeaseTerms terms(ControllerOptions options, String lease, String identity) {
    return options.elect()
        ? new LeaseTerms(
            new ObjectName("kube-system", lease),
            identity,
            options.duration(),
            options.renewDeadline(),
            options.retryPeriod())
        : null;
  }
}
