package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.ServedBy;
import dev.keelson.testing.ServedBy.Backend;
import io.kubernetes.client.ProtoClient;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Scale;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.KubernetesApiResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The official Java client of Kubernetes: its models, watches, informers and protobuf. */
@ServedBy(Backend.SQLITE)
@Timeout(120)
class JavaClientIT {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final ApiClient client;
  private final CoreV1Api core;
  private final String namespace = "java-client-" + COUNT.incrementAndGet();

  JavaClientIT(KeelsonProcess server) throws IOException, ApiException {
    client = Config.fromConfig(server.kubeconfigFile().toString());
    client.setReadTimeout(0);
    core = new CoreV1Api(client);
    core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(namespace))).execute();
  }

  @AfterEach
  void close() {
    client.getHttpClient().dispatcher().executorService().shutdown();
    client.getHttpClient().connectionPool().evictAll();
  }

  private static V1ConfigMap map(String name, String value) {
    return new V1ConfigMap()
        .metadata(new V1ObjectMeta().name(name).putLabelsItem("app", "a"))
        .putDataItem("k", value);
  }

  private V1ConfigMap create(String name) throws ApiException {
    return core.createNamespacedConfigMap(namespace, map(name, "v")).execute();
  }

  private static String name(V1ConfigMap map) {
    return Objects.requireNonNull(Objects.requireNonNull(map.getMetadata()).getName());
  }

  @Test
  void object_isCreatedReadReplacedAndDeleted() throws ApiException {
    V1ConfigMap created = create("c");
    created.putDataItem("k", "w");

    V1ConfigMap replaced = core.replaceNamespacedConfigMap("c", namespace, created).execute();

    assertThat(replaced.getData()).containsEntry("k", "w");
    assertThat(core.readNamespacedConfigMap("c", namespace).execute()).isEqualTo(replaced);
    assertThat(core.deleteNamespacedConfigMap("c", namespace).execute().getStatus())
        .isEqualTo("Success");
    assertThat(core.listNamespacedConfigMap(namespace).labelSelector("app=a").execute().getItems())
        .isEmpty();
  }

  @Test
  void workload_hasItsDefaultsAndScales() throws ApiException {
    V1Container container =
        new V1Container()
            .name("web")
            .image("web:1")
            .addPortsItem(new V1ContainerPort().containerPort(80))
            .resources(
                new V1ResourceRequirements()
                    .putRequestsItem("cpu", new Quantity("0.5"))
                    .putRequestsItem("memory", new Quantity("1024Mi")));
    Map<String, String> labels = Map.of("app", "web");
    AppsV1Api apps = new AppsV1Api(client);
    V1Deployment deployment =
        apps.createNamespacedDeployment(
                namespace,
                new V1Deployment()
                    .metadata(new V1ObjectMeta().name("web"))
                    .spec(
                        new V1DeploymentSpec()
                            .selector(new V1LabelSelector().matchLabels(labels))
                            .template(
                                new V1PodTemplateSpec()
                                    .metadata(new V1ObjectMeta().labels(labels))
                                    .spec(new V1PodSpec().addContainersItem(container)))))
            .execute();

    V1DeploymentSpec spec = Objects.requireNonNull(deployment.getSpec());
    assertThat(spec.getReplicas()).isEqualTo(1);
    assertThat(
            Objects.requireNonNull(Objects.requireNonNull(spec.getStrategy()).getRollingUpdate())
                .getMaxSurge())
        .isEqualTo(new IntOrString("25%"));
    V1Scale scale = apps.readNamespacedDeploymentScale("web", namespace).execute();
    Objects.requireNonNull(scale.getSpec()).setReplicas(3);
    apps.replaceNamespacedDeploymentScale("web", namespace, scale).execute();
    assertThat(
            Objects.requireNonNull(
                    apps.readNamespacedDeployment("web", namespace).execute().getSpec())
                .getReplicas())
        .isEqualTo(3);

    V1Service service =
        core.createNamespacedService(
                namespace,
                new V1Service()
                    .metadata(new V1ObjectMeta().name("web"))
                    .spec(
                        new V1ServiceSpec()
                            .selector(labels)
                            .addPortsItem(
                                new V1ServicePort().port(80).targetPort(new IntOrString(8080)))))
            .execute();
    assertThat(Objects.requireNonNull(service.getSpec()).getType()).isEqualTo("ClusterIP");
  }

  @Test
  void list_inParts_showsOneState() throws ApiException {
    for (int i = 0; i < 5; i++) {
      create("c" + i);
    }
    List<String> names = new ArrayList<>();
    List<String> revisions = new ArrayList<>();
    String token = null;

    do {
      V1ConfigMapList part =
          core.listNamespacedConfigMap(namespace).limit(2)._continue(token).execute();
      part.getItems().forEach(item -> names.add(name(item)));
      revisions.add(Objects.requireNonNull(part.getMetadata()).getResourceVersion());
      token = part.getMetadata().getContinue();
      if (names.size() == 2) {
        assertThat(part.getMetadata().getRemainingItemCount()).isPositive();
        create("c9");
      }
    } while (token != null && !token.isEmpty());

    assertThat(names).contains("c0", "c1", "c2", "c3", "c4").doesNotContain("c9");
    assertThat(revisions).hasSizeGreaterThan(2).containsOnly(revisions.getFirst());
  }

  @Test
  void patches_ofEveryKind_areApplied() throws ApiException {
    create("p");
    Map<String, String> patches =
        Map.of(
            V1Patch.PATCH_FORMAT_JSON_PATCH,
            "[{\"op\":\"replace\",\"path\":\"/data/k\",\"value\":\"json\"}]",
            V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
            "{\"data\":{\"k\":\"merge\"}}",
            V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH,
            "{\"data\":{\"k\":\"strategic\"}}");
    for (Map.Entry<String, String> patch : patches.entrySet()) {
      V1ConfigMap patched =
          PatchUtils.patch(
              V1ConfigMap.class,
              () ->
                  core.patchNamespacedConfigMap("p", namespace, new V1Patch(patch.getValue()))
                      .buildCall(null),
              patch.getKey(),
              client);

      String word = Objects.requireNonNull(patched.getData()).get("k");
      assertThat(patch.getKey()).contains(word);
    }
    V1ConfigMap applied =
        PatchUtils.patch(
            V1ConfigMap.class,
            () ->
                core.patchNamespacedConfigMap(
                        "p",
                        namespace,
                        new V1Patch(
                            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"own\":\"1\"}}"))
                    .fieldManager("applier")
                    .force(true)
                    .buildCall(null),
            V1Patch.PATCH_FORMAT_APPLY_YAML,
            client);
    assertThat(applied.getData()).containsKeys("k", "own");
  }

  @Test
  void watch_tellsEveryChange() throws ApiException, IOException {
    V1ConfigMap first = create("w");
    String revision = Objects.requireNonNull(first.getMetadata()).getResourceVersion();
    try (Watch<V1ConfigMap> watch =
        Watch.createWatch(
            client,
            core.listNamespacedConfigMap(namespace)
                .resourceVersion(revision)
                .watch(true)
                .buildCall(null),
            new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
      core.replaceNamespacedConfigMap("w", namespace, map("w", "2")).execute();
      core.deleteNamespacedConfigMap("w", namespace).execute();

      Watch.Response<V1ConfigMap> modified = watch.next();
      assertThat(modified.type).isEqualTo("MODIFIED");
      assertThat(modified.object.getData()).containsEntry("k", "2");
      assertThat(watch.next().type).isEqualTo("DELETED");
    }
  }

  @Test
  void informer_followsTheObjects() throws ApiException, InterruptedException {
    create("before");
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    SharedInformerFactory factory = new SharedInformerFactory(client);
    SharedIndexInformer<V1ConfigMap> informer =
        factory.sharedIndexInformerFor(
            parameters ->
                core.listNamespacedConfigMap(namespace)
                    .labelSelector("app=a")
                    .resourceVersion(parameters.resourceVersion)
                    .timeoutSeconds(parameters.timeoutSeconds)
                    .watch(parameters.watch)
                    .buildCall(null),
            V1ConfigMap.class,
            V1ConfigMapList.class);
    informer.addEventHandler(
        new ResourceEventHandler<V1ConfigMap>() {
          @Override
          public void onAdd(V1ConfigMap added) {
            seen.add("added " + name(added));
          }

          @Override
          public void onUpdate(V1ConfigMap before, V1ConfigMap after) {
            seen.add("updated " + name(after));
          }

          @Override
          public void onDelete(V1ConfigMap deleted, boolean unknown) {
            seen.add("deleted " + name(deleted));
          }
        });
    factory.startAllRegisteredInformers();
    try {
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("added before");
      create("after");
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("added after");
      core.replaceNamespacedConfigMap("after", namespace, map("after", "2")).execute();
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("updated after");
      core.deleteNamespacedConfigMap("before", namespace).execute();
      assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("deleted before");
      assertThat(informer.getIndexer().listKeys()).containsExactly(namespace + "/after");
    } finally {
      factory.stopAllRegisteredInformers(true);
    }
  }

  @Test
  void errors_areStatusesThatTheClientUnderstands() throws ApiException {
    create("taken");

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> create("taken"))
        .satisfies(error -> assertThat(error.getCode()).isEqualTo(409))
        .satisfies(
            error -> {
              JsonObject status = JsonParser.parseString(error.getResponseBody()).getAsJsonObject();
              assertThat(status.get("kind").getAsString()).isEqualTo("Status");
              assertThat(status.get("reason").getAsString()).isEqualTo("AlreadyExists");
            });
    GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> generic =
        new GenericKubernetesApi<>(
            V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    KubernetesApiResponse<V1ConfigMap> missing = generic.get(namespace, "nobody");
    assertThat(missing.isSuccess()).isFalse();
    assertThat(missing.getHttpStatusCode()).isEqualTo(404);
    assertThat(missing.getStatus().getReason()).isEqualTo("NotFound");
    assertThat(missing.getStatus().getMessage()).isEqualTo("configmaps \"nobody\" not found");
    assertThat(generic.list(namespace).getObject().getItems()).isNotEmpty();
  }

  @Test
  void protobufClient_createsReadsListsAndDeletes() throws ApiException, IOException {
    ProtoClient proto = new ProtoClient(client);
    String path = "/api/v1/namespaces/" + namespace + "/configmaps";
    V1.ConfigMap map =
        V1.ConfigMap.newBuilder()
            .setMetadata(Meta.ObjectMeta.newBuilder().setName("proto").setNamespace(namespace))
            .putData("k", "v")
            .build();

    assertThat(proto.create(map, path, "v1", "ConfigMap").object.getDataMap())
        .containsEntry("k", "v");
    assertThat(
            proto
                .<V1.ConfigMap>get(V1.ConfigMap.newBuilder(), path + "/proto")
                .object
                .getMetadata()
                .getUid())
        .isNotEmpty();
    assertThat(
            proto.<V1.ConfigMapList>list(V1.ConfigMapList.newBuilder(), path).object.getItemsList())
        .extracting(item -> item.getMetadata().getName())
        .contains("proto");
    assertThat(
            proto.<V1.ConfigMap>get(V1.ConfigMap.newBuilder(), path + "/none").status.getReason())
        .isEqualTo("NotFound");
    proto.<V1.ConfigMap>delete(V1.ConfigMap.newBuilder(), path + "/proto");
    assertThat(core.listNamespacedConfigMap(namespace).execute().getItems())
        .extracting(JavaClientIT::name)
        .doesNotContain("proto");
  }

  @Test
  void version_isTold() throws ApiException {
    assertThat(new VersionApi(client).getCode().execute().getMajor()).isEqualTo("1");
  }
}
