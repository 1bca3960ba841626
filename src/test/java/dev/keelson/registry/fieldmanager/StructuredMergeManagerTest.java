package dev.keelson.registry.fieldmanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ManagedFieldsText;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.WriteOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What creates and updates write into managedFields. */
@Timeout(120)
class StructuredMergeManagerTest extends RegistryTest {

  StructuredMergeManagerTest(@TempDir Path directory) {
    super(directory);
  }

  @Test
  void create_recordsWhatTheClientSetAndNothingThatTheServerKeeps() {
    ApiObject made =
        create(
            "v1",
            "configmaps",
            "maker",
            "{'metadata':{'name':'a','labels':{'x':'1'}},'data':{'k':'v'}}");

    assertThat(fields(made))
        .containsExactly(
            "maker Update v1"
                + " {'f:data':{'.':{},'f:k':{}},'f:metadata':{'f:labels':{'.':{},'f:x':{}}}}");
  }

  @Test
  void create_namesListItemsByTheirKeysAndTakesAtomicFieldsAsAWhole() {
    ApiObject made =
        create(
            "apps/v1",
            "deployments",
            "maker",
            """
            {'metadata':{'name':'web'},'spec':{'replicas':2,
              'selector':{'matchLabels':{'app':'web'}},
              'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[
                {'name':'web','image':'i','command':['a','b'],'ports':[{'containerPort':80,'protocol':'TCP'}],
                 'env':[{'name':'B','value':'1'},{'name':'A','value':'2'}]}]}}}}\
            """);

    assertThat(fields(made))
        .containsExactly(
            "maker Update apps/v1 {'f:spec':{'f:progressDeadlineSeconds':{},'f:replicas':{},"
                + "'f:revisionHistoryLimit':{},'f:selector':{},'f:strategy':{'f:rollingUpdate':{"
                + "'.':{},'f:maxSurge':{},'f:maxUnavailable':{}},'f:type':{}},'f:template':{"
                + "'f:metadata':{'f:labels':{'.':{},'f:app':{}}},'f:spec':{'f:containers':{"
                + "'k:{\\'name\\':\\'web\\'}':{'.':{},'f:command':{},'f:env':{'.':{},"
                + "'k:{\\'name\\':\\'A\\'}':{'.':{},'f:name':{},'f:value':{}},"
                + "'k:{\\'name\\':\\'B\\'}':{'.':{},'f:name':{},'f:value':{}}},"
                + "'f:image':{},'f:imagePullPolicy':{},'f:name':{},'f:ports':{'.':{},"
                + "'k:{\\'containerPort\\':80,\\'protocol\\':\\'TCP\\'}':{'.':{},"
                + "'f:containerPort':{},'f:protocol':{}}},'f:resources':{},"
                + "'f:terminationMessagePath':{},'f:terminationMessagePolicy':{}}},'f:dnsPolicy':{},"
                + "'f:restartPolicy':{},'f:schedulerName':{},'f:securityContext':{},"
                + "'f:terminationGracePeriodSeconds':{}}}}}");
  }

  @Test
  void update_movesChangedFieldsToTheWriter() {
    ApiObject made =
        create("v1", "configmaps", "maker", "{'metadata':{'name':'a'},'data':{'k':'v','l':'w'}}");
    api.clock().advance(Duration.ofSeconds(5));

    ApiObject changed = update("v1", "configmaps", "editor", with(made, "k", "changed"));

    assertThat(fields(changed))
        .containsExactly(
            "maker Update v1 {'f:data':{'.':{},'f:l':{}}}",
            "editor Update v1 {'f:data':{'f:k':{}}}");
    assertThat(times(changed)).doesNotHaveDuplicates();
  }

  @Test
  void update_dropsRemovedFieldsFromTheirOwner() {
    ApiObject made =
        create("v1", "configmaps", "maker", "{'metadata':{'name':'a'},'data':{'k':'v','l':'w'}}");

    ApiObject changed =
        update("v1", "configmaps", "editor", made.with("data", MapNode.of("l", Node.text("w"))));

    assertThat(fields(changed)).containsExactly("maker Update v1 {'f:data':{'.':{},'f:l':{}}}");
  }

  @Test
  void update_thatChangesNothing_keepsTimesAndResourceVersion() {
    ApiObject made =
        create("v1", "configmaps", "maker", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
    api.clock().advance(Duration.ofHours(1));

    ApiObject same = update("v1", "configmaps", "editor", made);

    assertThat(same.root()).isEqualTo(made.root());
  }

  @Test
  void update_withoutManagedFields_keepsThem() {
    ApiObject made =
        create("v1", "configmaps", "maker", "{'metadata':{'name':'a'},'data':{'k':'v'}}");

    ApiObject same =
        update("v1", "configmaps", "editor", made.withMeta(made.meta().without("managedFields")));

    assertThat(fields(same)).isEqualTo(fields(made));
  }

  @Test
  void update_withOneEmptyEntry_resetsThem_andTracksNoFurther() {
    ApiObject made =
        create("v1", "configmaps", "maker", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
    Node reset = new Node.Items(List.of(MapNode.EMPTY));

    ApiObject bare =
        update(
            "v1", "configmaps", "editor", made.withMeta(made.meta().with("managedFields", reset)));
    ApiObject changed = update("v1", "configmaps", "editor", with(bare, "k", "w"));

    assertThat(fields(bare)).isEmpty();
    assertThat(fields(changed)).isEmpty();
  }

  @Test
  void update_withEditedEntries_takesThem_withUnreadableOnes_passesThemOver() {
    ApiObject made =
        create("v1", "configmaps", "maker", "{'metadata':{'name':'a'},'data':{'k':'v'}}");

    ApiObject edited = update("v1", "configmaps", "editor", entry(made, "Apply", "f:k"));
    ApiObject broken = update("v1", "configmaps", "editor", entry(edited, "Steal", "f:other"));

    assertThat(fields(edited)).containsExactly("mine Apply v1 {'f:data':{'f:k':{}}}");
    assertThat(fields(broken)).isEqualTo(fields(edited));
  }

  @Test
  void status_isRecordedApart_andSpecIsNotTouchedByIt() {
    ApiObject made =
        create(
            "v1",
            "namespaces",
            "",
            "maker",
            "{'metadata':{'name':'n'},'spec':{'finalizers':['kubernetes']}}");
    ApiObject wanted =
        made.with("status", MapNode.of("phase", Node.text("Terminating"))).without("spec");

    ApiObject changed =
        api.served(
            api.registry()
                .replaceStatus(
                    api.collection("v1", "namespaces", ""), "n", wanted, by("controller")));

    assertThat(fields(changed))
        .contains("controller Update v1 status {'f:status':{'f:phase':{}}}")
        .noneMatch(entry -> entry.contains("controller") && entry.contains("f:spec"));
  }

  @Test
  void statusOfAPod_takesLabelsAlong_butNoOwners() {
    ApiObject pod =
        create(
            "v1",
            "pods",
            "maker",
            "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
    ApiObject wanted =
        api.object(
            "v1",
            "pods",
            """
            {'metadata':{'name':'p','labels':{'a':'b'},'ownerReferences':[
              {'apiVersion':'v1','kind':'Pod','name':'o','uid':'u'}]},
             'spec':{'nodeName':'n'},'status':{'phase':'Running'}}\
            """);

    ApiObject changed =
        api.served(
            api.registry()
                .replaceStatus(
                    api.collection("v1", "pods", "default"), "p", wanted, by("kubelet")));

    assertThat(changed.root().map("spec")).isEqualTo(pod.root().map("spec"));
    assertThat(fields(changed))
        .contains(
            "kubelet Update v1 status"
                + " {'f:metadata':{'f:labels':{'.':{},'f:a':{}}},'f:status':{'f:phase':{}}}");
  }

  @Test
  void statusOfADeployment_leavesItsLabels_andTakesItsAnnotations() {
    ApiObject made =
        create(
            "apps/v1",
            "deployments",
            "maker",
            """
            {'metadata':{'name':'web','labels':{'app':'web'}},'spec':{
              'selector':{'matchLabels':{'app':'web'}},
              'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[
                {'name':'web','image':'i'}]}}}}\
            """);
    ApiObject wanted =
        made.with("status", MapNode.of("observedGeneration", new Node.Int(1)))
            .withMeta(
                made.meta()
                    .with("labels", MapNode.of("b", Node.text("c")))
                    .with("annotations", MapNode.of("x", Node.text("y"))));

    ApiObject changed =
        api.served(
            api.registry()
                .replaceStatus(
                    api.collection("apps/v1", "deployments", "default"),
                    "web",
                    wanted,
                    by("controller")));

    assertThat(changed.meta().labels()).containsOnlyKeys("app");
    assertThat(fields(changed))
        .contains(
            "controller Update apps/v1 status {'f:metadata':{'f:annotations':{'.':{},'f:x':{}}},"
                + "'f:status':{'f:observedGeneration':{}}}");
  }

  @Test
  void countOfADaemonSet_belongsToWhoeverLeftItOut() {
    String json =
        """
        {'metadata':{'name':'agent'},'spec':{'selector':{'matchLabels':{'app':'agent'}},
          'template':{'metadata':{'labels':{'app':'agent'}},'spec':{'containers':[
            {'name':'agent','image':'i'}]}}}}\
        """;
    ApiObject made = create("apps/v1", "daemonsets", "maker", json);
    String count = "'f:annotations':{'.':{},'f:deprecated.daemonset.template.generation':{}}";

    ApiObject changed =
        update("apps/v1", "daemonsets", "other", api.object("apps/v1", "daemonsets", json));

    assertThat(made.meta().annotations())
        .containsEntry("deprecated.daemonset.template.generation", "1");
    assertThat(fields(made)).hasSize(1).first().asString().contains(count);
    assertThat(changed.meta().annotations()).isEqualTo(made.meta().annotations());
    assertThat(fields(changed))
        .hasSize(2)
        .contains(
            "other Update apps/v1 {'f:metadata':{'f:annotations':"
                + "{'f:deprecated.daemonset.template.generation':{}}}}");
  }

  @Test
  void managersOfUpdates_areNoMoreThanTen() {
    ApiObject object =
        create("v1", "configmaps", "m0", "{'metadata':{'name':'a'},'data':{'k0':'v'}}");
    for (int i = 1; i < 14; i++) {
      api.clock().advance(Duration.ofSeconds(1));
      object = update("v1", "configmaps", "m" + i, with(object, "k" + i, "v"));
    }

    assertThat(fields(object)).hasSize(10);
    assertThat(fields(object).getFirst())
        .isEqualTo(
            "ancient-changes Update v1"
                + " {'f:data':{'.':{},'f:k0':{},'f:k1':{},'f:k2':{},'f:k3':{},'f:k4':{}}}");
  }

  @Test
  void objectsOfAnotherVersion_areRecordedInIt() {
    ApiObject made =
        create(
            "extensions/v1beta1",
            "deployments",
            "old",
            """
            {'metadata':{'name':'web'},'spec':{'replicas':2,'selector':{'matchLabels':{'app':'web'}},
              'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[
                {'name':'web','image':'i'}]}}}}\
            """);
    ApiObject current = api.get("apps/v1", "deployments", "default", "web");
    MapNode spec = current.root().map("spec").with("replicas", new Node.Int(3));

    ApiObject changed = update("apps/v1", "deployments", "new", current.with("spec", spec));

    assertThat(fields(made))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("old Update extensions/v1beta1 ");
    assertThat(fields(made).getFirst()).contains("'f:replicas'");
    assertThat(fields(changed)).contains("new Update apps/v1 {'f:spec':{'f:replicas':{}}}");
    assertThat(fields(changed).stream().filter(entry -> entry.startsWith("old")).toList())
        .hasSize(1)
        .noneMatch(entry -> entry.contains("f:replicas"));
  }

  private static ApiObject with(ApiObject map, String key, String value) {
    return map.with("data", map.root().map("data").with(key, Node.text(value)));
  }

  private static ApiObject entry(ApiObject object, String operation, String field) {
    MapNode entry =
        MapNode.builder(6)
            .put("manager", Node.text("mine"))
            .put("operation", Node.text(operation))
            .put("apiVersion", Node.text("v1"))
            .put("time", Node.text("2020-01-01T00:00:00Z"))
            .put("fieldsType", Node.text("FieldsV1"))
            .put("fieldsV1", MapNode.of("f:data", MapNode.of(field, MapNode.EMPTY)))
            .build();
    return object.withMeta(object.meta().with("managedFields", new Node.Items(List.of(entry))));
  }

  private ApiObject create(String version, String resource, String manager, String json) {
    return create(version, resource, "default", manager, json);
  }

  private ApiObject create(
      String version, String resource, String namespace, String manager, String json) {
    return api.served(
        api.registry()
            .create(
                api.collection(version, resource, namespace),
                api.object(version, resource, json),
                by(manager)));
  }

  private ApiObject update(String version, String resource, String manager, ApiObject object) {
    return api.served(
        api.registry()
            .replace(
                api.collection(version, resource, "default"),
                object.meta().name(),
                object,
                by(manager))
            .object());
  }

  private static WriteOptions by(String manager) {
    return new WriteOptions(false, manager, WriteOptions.SERVER, _ -> {});
  }

  private static List<String> times(ApiObject object) {
    return object.meta().node().items("managedFields").stream()
        .map(entry -> ((MapNode) entry).text("time"))
        .toList();
  }

  private static List<String> fields(ApiObject object) {
    return ManagedFieldsText.of(object);
  }
}
