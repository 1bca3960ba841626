package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One round of each controller that no other black-box test drives, by kubectl against a server
 * with simulated nodes.
 */
final class ControllersIT {

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() throws IOException {
    Path stages =
        Files.writeString(
            directory.resolve("stages.yaml"),
            """
            pods:
            - selector: {matchLabels: {app: broken}}
              end: {after: 0s, failureProbability: 1, exitCode: 3}
            - selector: {matchLabels: {app: slow}}
              end: {after: 1h}
            """);
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--simulated-nodes=3",
                "--simulated-nodes-stages=" + stages,
                "--authorization-mode=RBAC"));
    kubectl = new Kubectl(server.kubeconfigFile(), directory);
    // first, so that its minute passes during the other tests
    apply(
        """
        apiVersion: batch/v1
        kind: CronJob
        metadata: {name: tick}
        spec:
          schedule: "* * * * *"
          jobTemplate:
            spec:
              template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void apply(String yaml) {
    String unused = kubectl.runWithInput(yaml, "apply", "--filename=-");
  }

  private static String field(String object, String path) {
    return kubectl
        .attempt("", "get", object, "--output=jsonpath={" + path + "}", "--ignore-not-found")
        .out();
  }

  private static void awaitField(String object, String path, String value) {
    assertEventually(() -> assertThat(field(object, path)).isEqualTo(value));
  }

  private static String podTemplate(String app) {
    return "{metadata: {labels: {app: %s}}, spec: {containers: [{name: c, image: nginx}]}}"
        .formatted(app);
  }

  @Test
  void statefulSet_isMadeInOrder_andUpdatedFromItsPartition() {
    String set =
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: db}
        spec:
          replicas: 3
          serviceName: db
          updateStrategy: {rollingUpdate: {partition: 2}}
          selector: {matchLabels: {app: db}}
          template: %s
        """
            .formatted(podTemplate("db"));
    apply(set);
    awaitField("statefulset/db", ".status.readyReplicas", "3");
    assertThat(
            kubectl
                .run(
                    "get",
                    "pods",
                    "-l",
                    "app=db",
                    "--sort-by=.metadata.creationTimestamp",
                    "-oname")
                .lines())
        .containsExactlyInAnyOrder("pod/db-0", "pod/db-1", "pod/db-2");

    apply(set.replace("image: nginx", "image: nginx:2"));

    awaitField("pod/db-2", ".spec.containers[0].image", "nginx:2");
    awaitField("statefulset/db", ".status.updatedReplicas", "1");
    assertThat(field("pod/db-0", ".spec.containers[0].image")).isEqualTo("nginx");
    assertThat(field("controllerrevisions", ".items[*].metadata.labels.app")).contains("db");
  }

  @Test
  void daemonSet_hasAPodOnEachNode_thatIsReplacedOnAnUpdate() {
    String set =
        """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: agent}
        spec:
          selector: {matchLabels: {app: agent}}
          template: %s
        """
            .formatted(podTemplate("agent"));
    apply(set);
    awaitField("daemonset/agent", ".status.numberReady", "3");

    apply(set.replace("image: nginx", "image: nginx:2"));

    assertThat(kubectl.run("rollout", "status", "daemonset/agent", "--timeout=120s"))
        .contains("successfully rolled out");
    awaitField("daemonset/agent", ".status.updatedNumberScheduled", "3");
  }

  @Test
  void replicationController_keepsItsPods_andServicesHaveTheirAddresses() {
    apply(
        """
        apiVersion: v1
        kind: ReplicationController
        metadata: {name: old}
        spec: {replicas: 2, selector: {app: old}, template: %s}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: old}
        spec: {selector: {app: old}, ports: [{port: 80}]}
        """
            .formatted(podTemplate("old")));
    awaitField("rc/old", ".status.readyReplicas", "2");

    assertEventually(
        () ->
            assertThat(field("endpoints/old", ".subsets[0].addresses[*].ip").split(" ", -1))
                .hasSize(2));
    assertEventually(
        () ->
            assertThat(
                    kubectl.run(
                        "get",
                        "endpointslices",
                        "-l",
                        "kubernetes.io/service-name=old",
                        "-ojsonpath={.items[*].endpoints[*].conditions.ready}"))
                .isEqualTo("true true"));
  }

  @Test
  void budget_isCounted_andStopsEvictions() {
    apply(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: guarded}
        spec: {minAvailable: 2, selector: {matchLabels: {app: guarded}}}
        """);
    String unused = kubectl.run("create", "deployment", "guarded", "--image=nginx", "--replicas=2");
    awaitField("pdb/guarded", ".status.currentHealthy", "2");
    awaitField("pdb/guarded", ".status.disruptionsAllowed", "0");
    String pod =
        kubectl.run("get", "pods", "-l", "app=guarded", "-ojsonpath={.items[0].metadata.name}");

    Kubectl.Result refused =
        kubectl.attempt(
            """
            {"apiVersion": "policy/v1", "kind": "Eviction",
             "metadata": {"name": "%s", "namespace": "default"}}
            """
                .formatted(pod),
            "create",
            "--raw=/api/v1/namespaces/default/pods/" + pod + "/eviction",
            "--filename=-");

    assertThat(refused.err()).contains("disruption budget");
    unused = kubectl.run("scale", "deployment/guarded", "--replicas=3");
    awaitField("pdb/guarded", ".status.disruptionsAllowed", "1");
  }

  @Test
  void finishedJob_goesAfterItsTime() {
    apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: brief}
        spec:
          ttlSecondsAfterFinished: 1
          template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}
        """);

    assertEventually(() -> assertThat(field("job/brief", ".metadata.name")).isEmpty());
    assertThat(kubectl.run("get", "events", "--field-selector=involvedObject.name=brief", "-oname"))
        .isNotEmpty();
  }

  private static void job(String name, String spec) {
    apply(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: %1$s}
        spec:
          %2$s
          template:
            metadata: {labels: {app: %1$s}}
            spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}
        """
            .formatted(name, spec));
  }

  private static void awaitFailed(String job, String reason) {
    awaitField(
        "job/" + job,
        ".status.conditions[?(@.type=='Failed')].status} "
            + "{.status.conditions[?(@.type=='Failed')].reason",
        "True " + reason);
    assertThat(field("job/" + job, ".status.completionTime")).isEmpty();
  }

  @Test
  void job_isActiveNoLongerThanItsDeadline() {
    job("slow", "activeDeadlineSeconds: 2");
    awaitField("job/slow", ".status.active", "1");

    awaitFailed("slow", "DeadlineExceeded");

    awaitField("job/slow", ".status.active", "");
    assertEventually(() -> assertThat(kubectl.run("get", "pods", "-lapp=slow")).isEmpty());
  }

  @Test
  void job_failsWhenItsRetriesExceedTheLimit() {
    job("broken", "backoffLimit: 0");

    awaitFailed("broken", "BackoffLimitExceeded");

    assertThat(field("job/broken", ".status.failed")).isEqualTo("1");
  }

  @Test
  void job_succeedsWithItsCompletions() {
    job("whole", "completions: 3");

    awaitField("job/whole", ".status.succeeded", "3");
    awaitField("job/whole", ".status.conditions[?(@.type=='Complete')].status", "True");
    assertThat(field("job/whole", ".status.completionTime")).isNotEmpty();
  }

  @Test
  void deploymentWithoutProgress_isToldToHaveExceededItsDeadline() {
    apply(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: stuck}
        spec:
          progressDeadlineSeconds: 2
          selector: {matchLabels: {app: stuck}}
          template:
            metadata: {labels: {app: stuck}}
            spec: {nodeSelector: {is: nowhere}, containers: [{name: c, image: nginx}]}
        """);

    awaitField(
        "deployment/stuck",
        ".status.conditions[?(@.type=='Progressing')].status} "
            + "{.status.conditions[?(@.type=='Progressing')].reason",
        "False ProgressDeadlineExceeded");
    assertThat(kubectl.attempt("", "rollout", "status", "deployment/stuck").err())
        .contains("error: deployment \"stuck\" exceeded its progress deadline");
    // it is still worked on
    String unused =
        kubectl.run(
            "patch",
            "deployment",
            "stuck",
            "--type=json",
            "--patch=[{\"op\":\"remove\",\"path\":\"/spec/template/spec/nodeSelector\"}]");
    awaitField("deployment/stuck", ".status.readyReplicas", "1");
  }

  @Test
  void cronJob_makesAJobAtTheNextMinute() {
    assertThat(
            kubectl.run(
                "wait",
                "cronjob/tick",
                "--for=jsonpath={.status.lastSuccessfulTime}",
                "--timeout=180s"))
        .contains("condition met");
    assertThat(
            kubectl.run("get", "jobs", "-ojsonpath={.items[*].metadata.ownerReferences[*].name}"))
        .contains("tick");
  }

  @Test
  void nodeWithATaint_losesItsPods_andIsNotUsedAgain() {
    String unused = kubectl.run("create", "deployment", "moved", "--image=nginx", "--replicas=3");
    awaitField("deployment/moved", ".status.readyReplicas", "3");
    String node =
        kubectl.run("get", "pods", "-l", "app=moved", "-ojsonpath={.items[0].spec.nodeName}");
    String[] places = {"get", "pods", "-l", "app=moved", "-ojsonpath={.items[*].spec.nodeName}"};

    unused = kubectl.run("taint", "nodes", node, "gone=true:NoExecute");

    assertEventually(() -> assertThat(kubectl.attempt("", places).out()).doesNotContain(node));
    awaitField("deployment/moved", ".status.readyReplicas", "3");
    unused = kubectl.run("taint", "nodes", node, "gone-");
  }

  @Test
  void claimIsBoundToTheVolumeThatFits_andARoleIsAggregated() {
    apply(
        """
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: disk}
        spec:
          capacity: {storage: 1Gi}
          accessModes: [ReadWriteOnce]
          storageClassName: manual
          hostPath: {path: /disk}
        ---
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: claim}
        spec:
          storageClassName: manual
          accessModes: [ReadWriteOnce]
          resources: {requests: {storage: 1Gi}}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: part, labels: {sum: "yes"}}
        rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: sum}
        aggregationRule: {clusterRoleSelectors: [{matchLabels: {sum: "yes"}}]}
        rules: []
        """);

    awaitField("pvc/claim", ".status.phase", "Bound");
    awaitField("pv/disk", ".spec.claimRef.name", "claim");
    awaitField("clusterrole/sum", ".rules[0].resources[0]", "pods");
  }
}
