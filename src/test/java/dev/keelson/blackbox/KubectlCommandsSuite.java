package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of kubectl that change things, with what they print and what they leave behind, as
 * their users know them from Kubernetes.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
abstract class KubectlCommandsSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: \"1\", b: \"2\"}\n";

  private final Kubectl kubectl;
  private final Path files;
  private String namespace = "";

  /** One home for all tests, so that kubectl asks only once what the server has. */
  KubectlCommandsSuite(KeelsonProcess server, @TempDir Path home) {
    kubectl = new Kubectl(server.kubeconfigFile(), home);
    files = home;
  }

  @BeforeEach
  void makeNamespace() {
    namespace = "commands-" + COUNT.incrementAndGet();
    assertThat(kubectl.run("create", "namespace", namespace)).endsWith(" created\n");
  }

  private String[] here(String... arguments) {
    List<String> all = new ArrayList<>(List.of("-n", namespace));
    all.addAll(List.of(arguments));
    return all.toArray(String[]::new);
  }

  private String run(String... arguments) {
    return kubectl.run(here(arguments));
  }

  private String runWithInput(String input, String... arguments) {
    return kubectl.runWithInput(input, here(arguments));
  }

  /** Runs a command that must fail; returns what it complains of. */
  private String refused(String... arguments) {
    return refusedWithInput("", arguments);
  }

  private String refusedWithInput(String input, String... arguments) {
    Kubectl.Result result = kubectl.attempt(input, here(arguments));
    assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(1);
    return result.err();
  }

  private String show(String resource, String name, String path) {
    return run("get", resource, name, "-o", "jsonpath={" + path + "}");
  }

  private void deployment() {
    assertThat(run("create", "deployment", "d", "--image=nginx:1", "--replicas=2", "--port=80"))
        .isEqualTo("deployment.apps/d created\n");
  }

  // ---- create

  @Test
  void create_hasAGeneratorForEachOfThese() throws IOException {
    assertThat(run("create", "configmap", "c", "--from-literal=a=b"))
        .isEqualTo("configmap/c created\n");
    assertThat(run("create", "secret", "generic", "s", "--from-literal=a=b"))
        .isEqualTo("secret/s created\n");
    assertThat(
            run(
                "create",
                "secret",
                "docker-registry",
                "r",
                "--docker-username=u",
                "--docker-password=p"))
        .isEqualTo("secret/r created\n");
    // a key pair that the server made for its administrator
    Path config = kubectl.kubeconfig();
    Path certificate = pem(config, "client-certificate-data", "tls.crt");
    Path key = pem(config, "client-key-data", "tls.key");
    assertThat(run("create", "secret", "tls", "t", "--cert=" + certificate, "--key=" + key))
        .isEqualTo("secret/t created\n");
    assertThat(run("get", "secrets", "-o", "jsonpath={.items[*].type}"))
        .isEqualTo("kubernetes.io/dockerconfigjson Opaque kubernetes.io/tls");
    assertThat(run("create", "serviceaccount", "sa")).isEqualTo("serviceaccount/sa created\n");
    assertThat(run("create", "token", "sa", "--duration=10m").split("\\.")).hasSize(3);
    assertThat(run("create", "quota", "q", "--hard=cpu=1,pods=2"))
        .isEqualTo("resourcequota/q created\n");
    assertThat(run("create", "pdb", "p", "--selector=app=d", "--min-available=1"))
        .isEqualTo("poddisruptionbudget.policy/p created\n");
    assertThat(run("create", "ingress", "i", "--rule=foo.com/bar=svc:8080,tls=cert"))
        .isEqualTo("ingress.networking.k8s.io/i created\n");
    assertThat(show("ingress", "i", ".spec.rules[0].http.paths[0].pathType")).isEqualTo("Exact");
    assertThat(run("create", "priorityclass", namespace, "--value=1000"))
        .isEqualTo("priorityclass.scheduling.k8s.io/" + namespace + " created\n");
  }

  private Path pem(Path config, String field, String file) throws IOException {
    String line =
        Files.readString(config)
            .lines()
            .filter(each -> each.contains(field + ":"))
            .findFirst()
            .orElseThrow();
    String base64 = line.substring(line.indexOf(':') + 1).strip().replace("\"", "");
    return Files.write(files.resolve(file), java.util.Base64.getDecoder().decode(base64));
  }

  @Test
  void create_ofWork_completesIt() {
    deployment();
    assertThat(run("create", "job", "j", "--image=busybox", "--", "echo", "hi"))
        .isEqualTo("job.batch/j created\n");
    assertThat(run("create", "cronjob", "c", "--image=busybox", "--schedule=*/5 * * * *"))
        .isEqualTo("cronjob.batch/c created\n");
    assertThat(run("create", "job", "now", "--from=cronjob/c"))
        .isEqualTo("job.batch/now created\n");
    assertThat(run("run", "p", "--image=nginx", "--env=A=B", "--port=80", "--labels=x=y"))
        .isEqualTo("pod/p created\n");
    assertThat(run("autoscale", "deployment", "d", "--min=1", "--max=5", "--cpu-percent=80"))
        .isEqualTo("horizontalpodautoscaler.autoscaling/d autoscaled\n");

    assertThat(show("job", "j", ".spec.template.metadata.labels.job-name")).isEqualTo("j");
    assertThat(show("job", "now", ".metadata.ownerReferences[0].kind")).isEqualTo("CronJob");
    assertThat(show("pod", "p", ".status.qosClass")).isEqualTo("BestEffort");
    assertThat(show("pod", "p", ".spec.serviceAccount")).isEqualTo("default");
    assertThat(run("get", "all", "-o", "name").lines())
        .containsExactly(
            "pod/p",
            "deployment.apps/d",
            "horizontalpodautoscaler.autoscaling/d",
            "cronjob.batch/c",
            "job.batch/j",
            "job.batch/now");
    assertThat(run("describe", "deployment", "d"))
        .contains("2 desired | 0 updated | 0 total | 0 available | 0 unavailable");
  }

  @Test
  void create_ofServices_allotsWhatTheyNeed() {
    deployment();
    assertThat(run("create", "service", "clusterip", "c", "--tcp=80:8080"))
        .isEqualTo("service/c created\n");
    assertThat(run("create", "service", "nodeport", "n", "--tcp=80:8080"))
        .isEqualTo("service/n created\n");
    assertThat(run("create", "service", "loadbalancer", "l", "--tcp=80"))
        .isEqualTo("service/l created\n");
    assertThat(run("create", "service", "externalname", "e", "--external-name=x.org"))
        .isEqualTo("service/e created\n");
    assertThat(run("expose", "deployment", "d", "--port=80", "--target-port=8000"))
        .isEqualTo("service/d exposed\n");

    assertThat(
            run(
                "get",
                "services",
                "-o",
                "jsonpath={range .items[*]}{.metadata.name}={.spec.type} {end}"))
        .isEqualTo("c=ClusterIP d=ClusterIP e=ExternalName l=LoadBalancer n=NodePort ");
    assertThat(run("get", "services", "-o", "jsonpath={.items[*].spec.clusterIP}").split(" "))
        .hasSize(4)
        .doesNotHaveDuplicates();
    assertThat(show("service", "n", ".spec.ports[0].nodePort")).matches("3\\d{4}");
    assertThat(show("service", "d", ".spec.selector")).isEqualTo("{\"app\":\"d\"}");
    assertThat(run("set", "selector", "service", "d", "app=other"))
        .isEqualTo("service/d selector updated\n");
  }

  @Test
  void access_isGrantedReconciledAndAskedFor() {
    assertThat(run("create", "role", "r", "--verb=get,list", "--resource=pods"))
        .isEqualTo("role.rbac.authorization.k8s.io/r created\n");
    assertThat(run("create", "rolebinding", "b", "--role=r", "--serviceaccount=x:sa"))
        .isEqualTo("rolebinding.rbac.authorization.k8s.io/b created\n");
    assertThat(run("create", "clusterrole", namespace, "--verb=get", "--resource=nodes"))
        .isEqualTo("clusterrole.rbac.authorization.k8s.io/" + namespace + " created\n");
    assertThat(
            run("create", "clusterrolebinding", namespace, "--clusterrole=view", "--user=nobody"))
        .isEqualTo("clusterrolebinding.rbac.authorization.k8s.io/" + namespace + " created\n");
    assertThat(run("set", "subject", "rolebinding", "b", "--user=joe", "--group=g"))
        .isEqualTo("rolebinding.rbac.authorization.k8s.io/b subjects updated\n");
    assertThat(show("rolebinding", "b", ".subjects[*].kind"))
        .isEqualTo("ServiceAccount User Group");
    String role =
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: rec, namespace: "
            + namespace
            + "}\nrules: [{apiGroups: [''], resources: [pods], verbs: [get]}]\n";
    assertThat(runWithInput(role, "auth", "reconcile", "-f", "-"))
        .isEqualTo("role.rbac.authorization.k8s.io/rec reconciled\n");
    assertThat(show("role", "rec", ".rules[*].verbs")).isEqualTo("[\"get\"]");
    assertThat(runWithInput(role, "auth", "reconcile", "-f", "-"))
        .isEqualTo("role.rbac.authorization.k8s.io/rec reconciled\n");
    assertThat(run("auth", "can-i", "create", "pods")).isEqualTo("yes\n");
    assertThat(run("auth", "can-i", "--list")).contains("*.*");
    assertThat(run("auth", "whoami")).contains("kubernetes-admin", "system:masters");
    assertThat(kubectl.run("delete", "clusterrole,clusterrolebinding", namespace).lines())
        .hasSize(2);
  }

  // ---- apply, diff, edit, patch

  @Test
  void apply_onTheClient_thenDiff_tellsWhatChanges() {
    assertThat(runWithInput(MAP, "apply", "-f", "-")).isEqualTo("configmap/m created\n");
    assertThat(runWithInput(MAP, "apply", "-f", "-")).isEqualTo("configmap/m unchanged\n");
    String changed = MAP.replace("\"2\"", "\"3\"");
    Kubectl.Result differs = kubectl.attempt(changed, here("diff", "-f", "-"));
    assertThat(differs.exitCode()).isEqualTo(1);
    assertThat(differs.out()).contains("-  b: \"2\"\n", "+  b: \"3\"\n");
    assertThat(runWithInput(changed, "apply", "-f", "-")).isEqualTo("configmap/m configured\n");
    assertThat(runWithInput(changed, "diff", "-f", "-")).isEmpty();
    assertThat(run("apply", "view-last-applied", "configmap/m")).contains("b: \"3\"");
  }

  @Test
  void apply_onTheServer_conflictsWithOthers_andTakesOver() {
    String text =
        """
        error: Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.b
        Please review the fields above--they currently have other managers.\
        """;
    String changed = MAP.replace("\"2\"", "\"3\"");
    assertThat(runWithInput(MAP, "apply", "-f", "-")).contains("created");

    String conflict =
        refusedWithInput(changed, "apply", "--server-side", "--field-manager=other", "-f", "-");
    String forced =
        runWithInput(
            changed,
            "apply",
            "--server-side",
            "--field-manager=other",
            "--force-conflicts",
            "-f",
            "-");

    assertThat(conflict).startsWith(text);
    assertThat(forced).isEqualTo("configmap/m serverside-applied\n");
    // what was applied by the client has gone over to the same manager, annotation included
    assertThat(
            run(
                "get",
                "configmap",
                "m",
                "--show-managed-fields",
                "-o",
                "jsonpath={.metadata.managedFields[*].manager} {.metadata.annotations}"))
        .isEqualTo("other ");
    assertThat(runWithInput(changed, "apply", "--server-side", "--dry-run=server", "-f", "-"))
        .isEqualTo("configmap/m serverside-applied (server dry run)\n");
    assertThat(refusedWithInput(MAP, "apply", "--server-side", "-f", "-"))
        .startsWith("error: Apply failed with 1 conflict: conflict with \"other\": .data.b\n");
  }

  @Test
  void apply_withPrune_removesWhatIsNoLongerThere() {
    String one = MAP.replace("{name: m}", "{name: one, labels: {set: x}}");
    String two = MAP.replace("{name: m}", "{name: two, labels: {set: x}}");
    String[] prune = {
      "apply", "--prune", "-l", "set=x", "--prune-allowlist=core/v1/ConfigMap", "-f", "-"
    };
    assertThat(runWithInput(one + "---\n" + two, prune).lines())
        .containsExactly("configmap/one created", "configmap/two created");

    assertThat(runWithInput(two, prune).lines())
        .containsExactly("configmap/two unchanged", "configmap/one pruned");
  }

  @Test
  void edit_storesWhatTheEditorLeaves() {
    deployment();
    Kubectl.Result edited =
        kubectl.edit("sed -i s/nginx:1/nginx:2/", here("edit", "deployment", "d"));
    Kubectl.Result invalid =
        kubectl.edit("sed -i s/replicas:.2/replicas:\\ -2/", here("edit", "deployment", "d"));
    Kubectl.Result same = kubectl.edit("true", here("edit", "deployment", "d"));

    assertThat(edited.out()).isEqualTo("deployment.apps/d edited\n");
    assertThat(invalid.err()).startsWith("error: deployments.apps \"d\" is invalid\n");
    assertThat(same.err() + same.out()).isEqualTo("Edit cancelled, no changes made.\n");
    assertThat(show("deployment", "d", ".spec.template.spec.containers[0].image"))
        .isEqualTo("nginx:2");
  }

  @Test
  void patch_ofSubresources_changesThemAlone() {
    deployment();
    assertThat(
            run(
                "patch",
                "deployment",
                "d",
                "--subresource=scale",
                "--type=merge",
                "-p",
                "{\"spec\":{\"replicas\":4}}"))
        .isEqualTo("scale.autoscaling/d patched\n");
    assertThat(
            run(
                "patch",
                "deployment",
                "d",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"spec\":{\"replicas\":9},\"status\":{\"replicas\":3}}"))
        .isEqualTo("deployment.apps/d patched\n");
    assertThat(show("deployment", "d", "['spec.replicas','status.replicas']")).isEqualTo("4 3");
    assertThat(refused("patch", "deployment", "none", "-p", "{}"))
        .isEqualTo("Error from server (NotFound): deployments.apps \"none\" not found\n");
    assertThat(refused("patch", "deployment", "d", "-p", "{\"spec\":{\"selector\":null}}"))
        .contains("The Deployment \"d\" is invalid: ", "* spec.selector: Required value");
    assertThat(
            run("get", "--raw", "/apis/apps/v1/namespaces/" + namespace + "/deployments/d/scale"))
        .contains("\"kind\":\"Scale\"", "\"apiVersion\":\"autoscaling/v1\"", "\"replicas\":4")
        .doesNotContain("managedFields");
    assertThat(run("get", "deployment", "d", "-o", "yaml", "--show-managed-fields"))
        .contains("manager: kubectl-patch", "subresource: scale");
  }

  // ---- changes of one thing

  @Test
  void scale_minds_whatItIsToldToExpect() {
    deployment();
    assertThat(run("scale", "deployment", "d", "--replicas=5"))
        .isEqualTo("deployment.apps/d scaled\n");
    assertThat(refused("scale", "deployment", "d", "--replicas=6", "--current-replicas=1"))
        .isEqualTo("error: Expected replicas to be 1, was 5\n");
    assertThat(refused("scale", "deployment", "d", "--replicas=6", "--resource-version=1"))
        .startsWith("error: Expected resource version to be 1, was ");
    assertThat(run("scale", "deployment", "d", "--replicas=6", "--current-replicas=5"))
        .isEqualTo("deployment.apps/d scaled\n");
    assertThat(show("deployment", "d", ".spec.replicas")).isEqualTo("6");
    assertThat(run("create", "cronjob", "c", "--image=i", "--schedule=@daily")).contains("created");
    assertThat(refused("scale", "cronjob", "c", "--replicas=1"))
        .isEqualTo(
            "Error from server (NotFound): the server could not find the requested resource\n");
  }

  @Test
  void label_and_annotate_sayWhatTheyDid() {
    deployment();
    assertThat(run("label", "deployment", "d", "a=b")).isEqualTo("deployment.apps/d labeled\n");
    assertThat(refused("label", "deployment", "d", "a=c"))
        .isEqualTo("error: 'a' already has a value (b), and --overwrite is false\n");
    assertThat(run("label", "deployment", "d", "a=c", "--overwrite"))
        .isEqualTo("deployment.apps/d labeled\n");
    assertThat(run("label", "deployment", "d", "a=c", "--overwrite"))
        .isEqualTo("deployment.apps/d not labeled\n");
    assertThat(run("label", "deployment", "d", "a-")).isEqualTo("deployment.apps/d unlabeled\n");
    assertThat(run("annotate", "deployment", "d", "x=y"))
        .isEqualTo("deployment.apps/d annotated\n");
    assertThat(refused("annotate", "deployment", "d", "x=z", "--overwrite", "--resource-version=1"))
        .contains("the object has been modified; please apply your changes to the latest version");
    assertThat(run("annotate", "deployment", "d", "x-")).isEqualTo("deployment.apps/d annotated\n");
    assertThat(show("deployment", "d", ".metadata.labels")).isEqualTo("{\"app\":\"d\"}");
    // annotations tell the controller something, labels do not
    assertThat(show("deployment", "d", ".metadata.generation")).isEqualTo("3");
  }

  @Test
  void set_changesThePodsToCome() {
    deployment();
    assertThat(run("set", "image", "deployment/d", "nginx=nginx:3"))
        .isEqualTo("deployment.apps/d image updated\n");
    assertThat(refused("set", "image", "deployment/d", "none=nginx:3"))
        .isEqualTo("error: unable to find container named \"none\"\n");
    assertThat(run("set", "env", "deployment/d", "A=B"))
        .isEqualTo("deployment.apps/d env updated\n");
    assertThat(run("set", "env", "deployment/d", "--list"))
        .isEqualTo("# Deployment d, container nginx\nA=B\n");
    assertThat(run("set", "env", "deployment/d", "A-"))
        .isEqualTo("deployment.apps/d env updated\n");
    assertThat(
            run(
                "set",
                "resources",
                "deployment",
                "d",
                "--limits=cpu=200m,memory=512Mi",
                "--requests=cpu=100m"))
        .isEqualTo("deployment.apps/d resource requirements updated\n");
    assertThat(run("set", "serviceaccount", "deployment", "d", "sa"))
        .isEqualTo("deployment.apps/d serviceaccount updated\n");

    assertThat(show("deployment", "d", ".spec.template.spec.containers[0]"))
        .contains("\"image\":\"nginx:3\"", "\"limits\":{\"cpu\":\"200m\",\"memory\":\"512Mi\"}")
        .doesNotContain("env");
    assertThat(show("deployment", "d", "['spec.template.spec.serviceAccount']")).isEqualTo("sa");
    assertThat(show("deployment", "d", ".metadata.generation")).isEqualTo("6");
  }

  // ---- rollouts, with a part for the controller that makes replica sets

  @Test
  void rollout_goesBackAndForth() {
    deployment();
    rollOut(1);
    assertThat(run("rollout", "status", "deployment/d"))
        .isEqualTo("deployment \"d\" successfully rolled out\n");
    assertThat(run("set", "image", "deployment/d", "nginx=nginx:2")).contains("updated");
    rollOut(2);

    assertThat(run("rollout", "history", "deployment/d").lines())
        .containsExactly(
            "deployment.apps/d ",
            "REVISION  CHANGE-CAUSE",
            "1         <none>",
            "2         <none>",
            "");
    assertThat(run("rollout", "history", "deployment/d", "--revision=1"))
        .startsWith("deployment.apps/d with revision #1\nPod Template:\n")
        .contains("Image:\tnginx:1\n");
    assertThat(run("rollout", "undo", "deployment/d")).isEqualTo("deployment.apps/d rolled back\n");
    assertThat(show("deployment", "d", ".spec.template.spec.containers[0].image"))
        .isEqualTo("nginx:1");
    assertThat(show("deployment", "d", ".spec.template.metadata.labels"))
        .isEqualTo("{\"app\":\"d\"}");
    assertThat(refused("rollout", "undo", "deployment/d", "--to-revision=9"))
        .isEqualTo("error: unable to find specified revision 9 in history\n");
    assertThat(run("rollout", "pause", "deployment/d")).isEqualTo("deployment.apps/d paused\n");
    assertThat(refused("rollout", "restart", "deployment/d"))
        .contains("can't restart paused deployment");
    assertThat(run("rollout", "resume", "deployment/d")).isEqualTo("deployment.apps/d resumed\n");
    assertThat(run("rollout", "restart", "deployment/d"))
        .isEqualTo("deployment.apps/d restarted\n");
    assertThat(show("deployment", "d", ".spec.template.metadata.annotations"))
        .contains("kubectl.kubernetes.io/restartedAt");
    assertThat(run("rollout", "status", "deployment/d", "--watch=false"))
        .isEqualTo("Waiting for deployment spec update to be observed...\n");
  }

  /** What the deployment controller does when a template is new, done by hand. */
  private void rollOut(int revision) {
    run(
        "annotate",
        "deployment",
        "d",
        "--overwrite",
        "deployment.kubernetes.io/revision=" + revision);
    String[] told = show("deployment", "d", "['metadata.uid','metadata.generation']").split(" ");
    runWithInput(
        """
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata:
          name: d-%1$d
          labels: {app: d, pod-template-hash: h%1$d}
          annotations: {deployment.kubernetes.io/revision: "%1$d"}
          ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: d, uid: %2$s, controller: true}]
        spec:
          replicas: 2
          selector: {matchLabels: {app: d, pod-template-hash: h%1$d}}
          template:
            metadata: {labels: {app: d, pod-template-hash: h%1$d}}
            spec: {containers: [{name: nginx, image: "nginx:%1$d"}]}
        """
            .formatted(revision, told[0]),
        "create",
        "-f",
        "-");
    run(
        "patch",
        "deployment",
        "d",
        "--subresource=status",
        "--type=merge",
        "-p",
        """
        {"status":{"observedGeneration":%s,"replicas":2,"updatedReplicas":2,"readyReplicas":2,
         "availableReplicas":2,"conditions":[{"type":"Available","status":"True"}]}}
        """
            .formatted(told[1]));
  }

  // ---- nodes

  @Test
  void node_isTaintedCordonedAndDrained() {
    String node = namespace;
    runWithInput(
        "apiVersion: v1\nkind: Node\nmetadata: {name: " + node + "}\n", "create", "-f", "-");
    assertThat(run("taint", "node", node, "a=b:NoSchedule"))
        .isEqualTo("node/" + node + " tainted\n");
    assertThat(refused("taint", "node", node, "a=c:NoSchedule"))
        .isEqualTo(
            "error: node "
                + node
                + " already has a taint(s) with same effect(s) and --overwrite is false\n");
    assertThat(run("taint", "node", node, "a=c:NoSchedule", "--overwrite"))
        .isEqualTo("node/" + node + " modified\n");
    assertThat(run("taint", "node", node, "a-")).isEqualTo("node/" + node + " untainted\n");
    assertThat(run("cordon", node)).isEqualTo("node/" + node + " cordoned\n");
    assertThat(run("cordon", node)).isEqualTo("node/" + node + " already cordoned\n");
    assertThat(run("uncordon", node)).isEqualTo("node/" + node + " uncordoned\n");
    runWithInput(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: bare}\n"
            + "spec: {nodeName: "
            + node
            + ", containers: [{name: c, image: i}]}\n",
        "create",
        "-f",
        "-");
    assertThat(refused("drain", node))
        .contains("cannot delete Pods that declare no controller (use --force to override)");
    assertThat(run("drain", node, "--force", "--grace-period=0", "--timeout=20s").lines())
        .containsExactly(
            "node/" + node + " already cordoned",
            "evicting pod " + namespace + "/bare",
            "pod/bare evicted",
            "node/" + node + " drained");
    assertThat(run("get", "pods", "-o", "name")).isEmpty();
    assertThat(run("delete", "node", node)).isEqualTo("node \"" + node + "\" deleted\n");
  }

  // ---- delete, replace, wait

  @Test
  void delete_takesWhatItIsToldTo() {
    deployment();
    rollOut(1);
    rollOut(2);
    assertThat(run("delete", "deployment", "d", "--cascade=orphan"))
        .isEqualTo("deployment.apps \"d\" deleted\n");
    assertThat(run("get", "replicasets", "-o", "name").lines())
        .containsExactly("replicaset.apps/d-1", "replicaset.apps/d-2");
    assertThat(run("delete", "replicaset", "d-1", "--cascade=foreground"))
        .isEqualTo("replicaset.apps \"d-1\" deleted\n");
    assertThat(run("delete", "replicaset", "d-2", "--now"))
        .isEqualTo("replicaset.apps \"d-2\" deleted\n");
    assertThat(run("run", "p", "--image=i")).contains("created");
    assertThat(run("delete", "pod", "p", "--grace-period=0", "--force"))
        .isEqualTo("pod \"p\" force deleted\n");
    assertThat(run("delete", "pod", "p", "--ignore-not-found")).isEmpty();
  }

  @Test
  void namespace_keepsItsAccountAndItsAuthorities() {
    String map = "kube-root-ca.crt";
    assertThat(run("wait", "--for=create", "configmap/" + map, "--timeout=20s")).contains("met");
    String authorities = show("configmap", map, ".data.ca\\.crt");
    assertThat(authorities).startsWith("-----BEGIN CERTIFICATE-----");

    assertThat(run("delete", "configmap", map)).contains("deleted");
    assertThat(run("wait", "--for=create", "configmap/" + map, "--timeout=20s")).contains("met");
    assertThat(run("wait", "--for=create", "serviceaccount/default", "--timeout=20s"))
        .contains("met");
    assertThat(run("delete", "serviceaccount", "default")).contains("deleted");
    assertThat(run("wait", "--for=create", "serviceaccount/default", "--timeout=20s"))
        .contains("met");
    run(
        "patch",
        "configmap",
        map,
        "--type=merge",
        "-p",
        "{\"data\":{\"ca.crt\":\"nothing\",\"other\":\"x\"}}");
    // not kubectl wait: it takes a value apart that ends with the padding of base64
    assertEventually(
        () -> assertThat(show("configmap", map, ".data.ca\\.crt")).isEqualTo(authorities));
    assertThat(show("configmap", map, ".data.other")).isEmpty();
  }

  @Test
  void replace_byForce_makesAnotherObject() {
    assertThat(run("run", "p", "--image=i")).contains("created");
    String before = show("pod", "p", ".metadata.uid");
    String other =
        "apiVersion: v1\n"
            + "kind: Pod\n"
            + "metadata: {name: p}\n"
            + "spec: {containers: [{name: c, image: j}]}\n";
    assertThat(refusedWithInput(other, "replace", "-f", "-"))
        .contains("The Pod \"p\" is invalid: spec: Forbidden: pod updates may not change fields");

    assertThat(runWithInput(other, "replace", "--force", "-f", "-").lines())
        .containsExactly("pod \"p\" deleted", "pod/p replaced");

    assertThat(show("pod", "p", ".metadata.uid")).isNotEqualTo(before);
  }

  @Test
  void wait_endsWhenItHolds_orTellsThatItDoesNot() {
    assertThat(run("run", "p", "--image=i")).contains("created");

    assertThat(run("wait", "--for=create", "pod/p", "--timeout=20s"))
        .isEqualTo("pod/p condition met\n");
    assertThat(run("wait", "--for=jsonpath={.status.phase}=Pending", "pod/p", "--timeout=20s"))
        .isEqualTo("pod/p condition met\n");
    assertThat(refused("wait", "--for=condition=Ready", "pod/p", "--timeout=1s"))
        .isEqualTo("error: timed out waiting for the condition on pods/p\n");
    run(
        "patch",
        "pod",
        "p",
        "--subresource=status",
        "-p",
        "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    assertThat(run("wait", "--for=condition=Ready", "pod/p", "--timeout=20s"))
        .isEqualTo("pod/p condition met\n");
    assertThat(run("delete", "pod", "p", "--wait=false")).contains("deleted");
    assertThat(run("wait", "--for=delete", "pod/p", "--timeout=20s")).isEmpty();
  }
}
