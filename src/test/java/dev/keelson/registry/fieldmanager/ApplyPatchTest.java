package dev.keelson.registry.fieldmanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ManagedFieldsText;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.SubresourceDefinition;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.registry.write.Written;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Server-side apply: what it makes of objects, and who owns what then. */
@Timeout(120)
class ApplyPatchTest extends RegistryTest {

  private static final String WEB =
      """
      {'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'},'spec':{
        'replicas':%s,'selector':{'matchLabels':{'app':'web'}},
        'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[%s]}}}}\
      """;

  private final List<String> warnings = new ArrayList<>();

  ApplyPatchTest(@TempDir Path directory) {
    super(directory);
  }

  @Test
  void apply_createsAndOwnsWhatItSays() {
    Written written = patch("configmaps", "a", config("'k':'v'"), "one", false);

    assertThat(written.created()).isTrue();
    ApiObject made = api.served(written.object());
    assertThat(made.meta().uid()).isNotEmpty();
    assertThat(fields(made)).containsExactly("one Apply v1 {'f:data':{'f:k':{}}}");
    assertThat(time(made, 0)).isNotEmpty();
  }

  @Test
  void applyAgain_changesNothing() {
    ApiObject made = apply("configmaps", "a", config("'k':'v'"), "one");
    api.clock().advance(Duration.ofHours(1));

    ApiObject again = apply("configmaps", "a", config("'k':'v'"), "one");

    assertThat(again.root()).isEqualTo(made.root());
  }

  @Test
  void applyAgain_withEmptyValuesThatTheObjectHasAnyway_changesNothing() {
    String web =
        WEB.formatted("1", "{'name':'c','image':'i','resources':{}}")
            .replace(
                "'metadata':{'name':'web'}", "'metadata':{'name':'web','creationTimestamp':null}")
            .replaceAll("}$", ",'status':{}}");
    ApiObject made = applyTo("apps/v1", "deployments", "web", web, "one", false);
    api.clock().advance(Duration.ofHours(1));

    ApiObject again = applyTo("apps/v1", "deployments", "web", web, "one", false);

    assertThat(again.root()).isEqualTo(made.root());
    assertThat(fields(made).getFirst()).doesNotContain("status").contains("'f:resources':{}");
  }

  @Test
  void whatIsSaidNoMore_isRemoved() {
    ApiObject made = apply("configmaps", "a", config("'k':'v','l':'w'"), "one");
    ApiObject changed = apply("configmaps", "a", config("'k':'v'"), "one");

    assertThat(made.root().map("data").keys()).containsExactly("k", "l");
    assertThat(changed.root().map("data").keys()).containsExactly("k");
    assertThat(fields(changed)).containsExactly("one Apply v1 {'f:data':{'f:k':{}}}");
  }

  @Test
  void whatAnotherAppliesToo_isSharedAndStays() {
    apply("configmaps", "a", config("'k':'v','l':'w'"), "one");
    ApiObject shared = apply("configmaps", "a", config("'l':'w'"), "two");
    ApiObject left = apply("configmaps", "a", config("'k':'v'"), "one");

    assertThat(fields(shared))
        .containsExactlyInAnyOrder(
            "one Apply v1 {'f:data':{'f:k':{},'f:l':{}}}", "two Apply v1 {'f:data':{'f:l':{}}}");
    assertThat(left.root().map("data").keys()).containsExactly("k", "l");
    assertThat(fields(left))
        .containsExactlyInAnyOrder(
            "one Apply v1 {'f:data':{'f:k':{}}}", "two Apply v1 {'f:data':{'f:l':{}}}");
  }

  @Test
  void fieldsOfOthers_conflict_andForceTakesThem() {
    apply("configmaps", "a", config("'k':'v'"), "one");

    ApiException error = refused("configmaps", "a", config("'k':'x'"), "two");
    ApiObject forced =
        api.served(patch("configmaps", "a", config("'k':'x'"), "two", true).object());

    assertThat(error.reason()).isEqualTo(Reason.CONFLICT);
    assertThat(error.text())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .data.k");
    assertThat(error.details().causes())
        .containsExactly(
            new FieldCause("FieldManagerConflict", "conflict with \"one\"", ".data.k"));
    assertThat(forced.root().map("data").text("k")).isEqualTo("x");
    assertThat(fields(forced)).containsExactly("two Apply v1 {'f:data':{'f:k':{}}}");
  }

  @Test
  void conflictsWithUpdates_nameTheVersion_andAreSortedByManager() {
    applyTo(
        "apps/v1",
        "deployments",
        "web",
        WEB.formatted("1", "{'name':'c','image':'i'}"),
        "one",
        false);
    ApiObject current = api.get("apps/v1", "deployments", "default", "web");
    MapNode spec = current.root().map("spec").with("replicas", new Node.Int(2));
    api.registry()
        .replace(
            api.collection("apps/v1", "deployments", "default"),
            "web",
            current.with("spec", spec),
            new WriteOptions(false, "scaler", WriteOptions.SERVER, _ -> {}));

    ApiException error =
        catchThrowableOfType(
            ApiException.class,
            () ->
                applyTo(
                    "apps/v1",
                    "deployments",
                    "web",
                    WEB.formatted("3", "{'name':'c','image':'j'}"),
                    "two",
                    false));

    assertThat(error.text())
        .isEqualTo(
            "Apply failed with 2 conflicts: conflicts with \"one\":\n"
                + "- .spec.template.spec.containers[name=\"c\"].image\n"
                + "conflicts with \"scaler\" using apps/v1:\n- .spec.replicas");
  }

  @Test
  void listItems_areMergedByTheirKeys_inTheOrderOfTheConfiguration() {
    applyTo(
        "apps/v1",
        "deployments",
        "web",
        WEB.formatted("1", "{'name':'a','image':'i'},{'name':'b','image':'i'}"),
        "one",
        false);
    ApiObject both =
        applyTo(
            "apps/v1",
            "deployments",
            "web",
            WEB.formatted("1", "{'name':'c','image':'k'},{'name':'a','image':'i'}"),
            "two",
            false);
    ApiObject less =
        applyTo(
            "apps/v1",
            "deployments",
            "web",
            WEB.formatted("1", "{'name':'a','image':'i'}"),
            "one",
            false);

    assertThat(containers(both)).containsExactly("c", "a", "b");
    assertThat(containers(less)).containsExactly("c", "a");
  }

  @Test
  void claimOfAVolume_isSharedFieldByField() {
    String volume =
        """
        {'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'v'},'spec':{
          'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],
          'hostPath':{'path':'/d'},'claimRef':{'namespace':'default','name':'c'%s}}}\
        """;
    ApiObject made = applyVolume(volume.formatted(""), "one");
    ApiObject bound = applyVolume(volume.formatted(",'uid':'u'"), "two");

    ApiObject again = applyVolume(volume.formatted(""), "one");

    assertThat(fields(made).getFirst()).contains("'f:claimRef':{'f:name':{},'f:namespace':{}}");
    assertThat(bound.root().map("spec").map("claimRef").text("uid")).isEqualTo("u");
    assertThat(again.root().map("spec")).isEqualTo(bound.root().map("spec"));
  }

  @Test
  void objectsWithoutEntries_belongToWhoeverWroteBefore() {
    ApiObject made =
        api.create(
            "v1", "configmaps", "default", "{'metadata':{'name':'a'},'data':{'k':'v','l':'w'}}");
    Node reset = new Node.Items(List.of(MapNode.EMPTY));
    api.replace(
        "v1",
        "configmaps",
        "default",
        "a",
        made.withMeta(made.meta().with("managedFields", reset)));

    ApiObject applied = apply("configmaps", "a", config("'k':'v'"), "one");

    assertThat(fields(applied))
        .containsExactlyInAnyOrder(
            "one Apply v1 {'f:data':{'f:k':{}}}",
            "before-first-apply Update v1 {'f:data':{'.':{},'f:k':{},'f:l':{}}}");
  }

  @Test
  void kubectl_takesOverWhatItAppliedOnTheClient_andKeepsTheAnnotationFresh() {
    String last =
        "{\\'apiVersion\\':\\'v1\\',\\'kind\\':\\'ConfigMap\\',\\'data\\':{\\'k\\':\\'v\\'}}";
    api.create(
        "v1",
        "configmaps",
        "default",
        "{'metadata':{'name':'a','annotations':{'kubectl.kubernetes.io/last-applied-configuration':'"
            + last
            + "'}},'data':{'k':'v','l':'w'}}");

    ApiException other = refused("configmaps", "a", config("'l':'x'"), "kubectl");
    ApiObject taken = apply("configmaps", "a", config("'k':'new'"), "kubectl");

    assertThat(other.text())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"keelson\" using v1: .data.l");
    assertThat(taken.root().map("data").text("k")).isEqualTo("new");
    assertThat(taken.meta().annotations().get("kubectl.kubernetes.io/last-applied-configuration"))
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"data\":{\"k\":\"new\"},\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'apiVersion':'v1','kind':'ConfigMap','data':{'k':'v'},'typo':1",
        "'apiVersion':'v1','kind':'ConfigMap','data':{'k':'v'},'immutable':'no'",
        "'apiVersion':'v1','kind':'Secret','data':{'k':'v'}",
        "'apiVersion':'v1','data':{'k':'v'}",
        "'apiVersion':'v2','kind':'ConfigMap','data':{'k':'v'}",
      })
  void kubectl_takesOverNothing_ofWhatCouldNotBeApplied(String last) {
    api.create(
        "v1",
        "configmaps",
        "default",
        "{'metadata':{'name':'a','annotations':{'kubectl.kubernetes.io/last-applied-configuration':'{"
            + last.replace("'", "\\'")
            + "}'}},'data':{'k':'v'}}");

    ApiException error = refused("configmaps", "a", config("'k':'x'"), "kubectl");

    assertThat(error.text())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"keelson\" using v1: .data.k");
  }

  @Test
  void kubectl_losesTheAnnotationThatWouldBeTooLarge() {
    api.create(
        "v1",
        "configmaps",
        "default",
        "{'metadata':{'name':'a','annotations':{'kubectl.kubernetes.io/last-applied-configuration':'{}',"
            + "'b':'c'}}}");

    ApiObject taken =
        apply("configmaps", "a", config("'k':'" + "v".repeat(256 * 1024) + "'"), "kubectl");

    assertThat(taken.meta().annotations()).containsOnlyKeys("b");
  }

  @Test
  void status_isAppliedApart() {
    applyTo(
        "apps/v1",
        "deployments",
        "web",
        WEB.formatted("1", "{'name':'c','image':'i'}"),
        "one",
        false);
    MapNode wanted =
        tree(
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'},"
                + "'spec':{'replicas':9},'status':{'replicas':1}}");

    ApiObject changed =
        api.served(
            api.registry()
                .patchStatus(
                    api.collection("apps/v1", "deployments", "default"),
                    "web",
                    applied("apps/v1", "deployments", wanted, "two", "status", true),
                    WriteOptions.PERSIST)
                .object());

    assertThat(changed.root().map("spec").get("replicas")).isEqualTo(new Node.Int(1));
    assertThat(changed.root().map("status").get("replicas")).isEqualTo(new Node.Int(1));
    assertThat(fields(changed)).contains("two Apply apps/v1 status {'f:status':{'f:replicas':{}}}");
  }

  @Test
  void scale_isAppliedToTheWorkload_underItsSubresource() {
    applyTo(
        "apps/v1",
        "deployments",
        "web",
        WEB.formatted("1", "{'name':'c','image':'i'}").replaceFirst("'replicas':1,", ""),
        "one",
        false);

    MapNode scale =
        tree(
            "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'web'},"
                + "'spec':{'replicas':4}}");
    applyScale(scale, "two");
    ApiObject web = api.get("apps/v1", "deployments", "default", "web");
    ApiException conflict =
        catchThrowableOfType(
            ApiException.class,
            () -> applyScale(scale.with("spec", MapNode.of("replicas", new Node.Int(5))), "three"));

    assertThat(web.root().map("spec").get("replicas")).isEqualTo(new Node.Int(4));
    assertThat(fields(web)).contains("two Apply apps/v1 scale {'f:spec':{'f:replicas':{}}}");
    assertThat(conflict.text())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"two\" with subresource \"scale\":"
                + " .spec.replicas");
  }

  private void applyScale(MapNode scale, String manager) {
    Collection workloads = api.collection("apps/v1", "deployments", "default");
    Written written =
        Subresources.of(api.registry(), api.codec(), api.catalog(), api.clock())
            .scales()
            .patch(
                workloads,
                "web",
                new ApplyPatch(
                    api.registry().fields(),
                    SubresourceDefinition.of(workloads.definition(), "scale"),
                    new AppliedConfiguration(scale, manager, "scale", false),
                    List.of(),
                    FieldValidation.WARN,
                    warnings::add),
                WriteOptions.PERSIST);
    assertThat(written.created()).isFalse();
  }

  @Test
  void dryRun_storesNothing() {
    api.registry()
        .patch(
            api.collection("v1", "configmaps", "default"),
            "a",
            applied("v1", "configmaps", tree(config("'k':'v'")), "one", "", false),
            WriteOptions.DRY_RUN);

    assertThat(api.registry().find(api.collection("v1", "configmaps", "default"), "a")).isEmpty();
  }

  @Test
  void anotherVersion_prunesInTheVersionOfTheLastApply() {
    String old =
        WEB.formatted("2", "{'name':'c','image':'i'}").replace("apps/v1", "extensions/v1beta1");
    applyTo("extensions/v1beta1", "deployments", "web", old, "one", false);
    String noReplicas =
        WEB.formatted("2", "{'name':'c','image':'i'}").replaceFirst("'replicas':2,", "");

    ApiObject changed = applyTo("apps/v1", "deployments", "web", noReplicas, "one", false);

    assertThat(fields(changed)).hasSize(1).first().asString().startsWith("one Apply apps/v1 ");
    assertThat(changed.root().map("spec").get("replicas")).isNotEqualTo(new Node.Int(2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'a'}}"
            + " | BAD_REQUEST | invalid object type: /v1, Kind=Secret",
        "{'apiVersion':'v2','kind':'ConfigMap','metadata':{'name':'a'}}"
            + " | BAD_REQUEST | invalid object type: /v2, Kind=ConfigMap",
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','managedFields':[]}}"
            + " | BAD_REQUEST | metadata.managedFields must be nil",
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'spec':{}}"
            + " | UNKNOWN | failed to create typed patch object (/a; /v1, Kind=ConfigMap):"
            + " .spec: field not declared in schema",
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','generation':'1'}}"
            + " | UNKNOWN | failed to create typed patch object (/a; /v1, Kind=ConfigMap):"
            + " .metadata.generation: expected numeric (int or float), got string",
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','uid':'u'}}"
            + " | CONFLICT | Operation cannot be fulfilled on configmaps `a`: uid mismatch:"
            + " the provided object specified uid u, and no existing object was found",
      })
  void configurationsThatFitNothing_areRefused(String json, Reason reason, String message) {
    ApiException error = refused("configmaps", "a", json, "one");

    assertThat(error.reason()).isEqualTo(reason);
    assertThat(error.text().replace('"', '`')).isEqualTo(message.strip());
  }

  @Test
  void valuesThatHaveNoTypedForm_areRefused() {
    ApiException error =
        refused(
            "secrets",
            "a",
            "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'a'},'data':{'k':'$$$'}}",
            "one");

    assertThat(error.reason()).isEqualTo(Reason.UNKNOWN);
    assertThat(error.text())
        .isEqualTo(
            "failed to convert new object (/a; /v1, Kind=Secret) to proper version: unable to"
                + " convert unstructured object to /v1, Kind=Secret: error decoding from json:"
                + " illegal base64 data at input byte 0");
  }

  @Test
  void itemsThatStandTwice_areRefusedInAConfiguration() {
    String service =
        "{'apiVersion':'v1','kind':'Service','metadata':{'name':'s'},'spec':{'ports':["
            + "{'port':80},{'port':80,'protocol':'TCP'}]}}";

    ApiException error =
        catchThrowableOfType(
            ApiException.class, () -> applyTo("v1", "services", "s", service, "one", false));

    assertThat(error.text())
        .isEqualTo(
            "failed to create typed patch object (/s; /v1, Kind=Service): .spec.ports: duplicate"
                + " entries for key [port=80,protocol=\"TCP\"]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resize              | {'f:spec':{'f:containers':{'k:{`name`:`c`}':{'.':{},"
            + "'f:resources':{'f:requests':{'f:cpu':{}}}}}}}",
        "ephemeralcontainers | {'f:spec':{'f:ephemeralContainers':{'k:{`name`:`d`}':{'.':{},"
            + "'f:image':{},'f:name':{}}}}}"
      })
  void appliedToAPartOfAPod_onlyTheFieldsOfThePartAreOwned(String part, String owned) {
    apply("pods", "p", pod("'image':'i','resources':{'requests':{'cpu':'1'}}", ""), "one");
    String wanted =
        pod(
            "'image':'other','resources':{'requests':{'cpu':'1'}}",
            ",'ephemeralContainers':[{'name':'d','image':'d'}]");

    ApiObject changed =
        api.served(
            api.registry()
                .patchPart(
                    api.collection("v1", "pods", "default"),
                    part,
                    "p",
                    applied("v1", "pods", tree(wanted), "two", part, false),
                    WriteOptions.PERSIST)
                .object());

    assertThat(fields(changed))
        .contains("two Apply v1 " + part + " " + owned.replace("`", "\\'"))
        .hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"approval,conditions", "status,certificate"})
  void appliedToAPartOfASigningRequest_onlyItsHalfOfTheStatusIsOwned(String part, String owned) {
    String version = "certificates.k8s.io/v1";
    String resource = "certificatesigningrequests";
    ApiObject made = api.createSmallest(version, resource, "", "r");
    String wanted =
        "{'apiVersion':'certificates.k8s.io/v1','kind':'CertificateSigningRequest',"
            + "'metadata':{'name':'r'},'spec':{'signerName':'other.example.com/a'},'status':{"
            + "'conditions':[{'type':'Approved','status':'True'}],'certificate':'YQ=='}}";

    ApiObject changed = applied(version, resource, tree(wanted), "two", part, false).apply(made);

    MapNode entry = (MapNode) changed.meta().node().items("managedFields").getFirst();
    MapNode set = entry.map("fieldsV1");
    assertThat(entry.text("manager")).isEqualTo("two");
    assertThat(set.keys()).containsExactly("f:status");
    assertThat(set.map("f:status").keys()).containsExactly("f:" + owned);
  }

  private static String pod(String container, String more) {
    return "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','labels':{'a':'b'}},'spec':{"
        + "'containers':[{'name':'c',"
        + container
        + "}]"
        + more
        + "}}";
  }

  @Test
  void keysThatStandTwiceInTheDocument_areAWarningOrAnError() {
    ApplyPatch strict = document(FieldValidation.STRICT);
    ApplyPatch warned = document(FieldValidation.WARN);
    ApiObject none = new ApiObject(MapNode.EMPTY);

    ApiException error = catchThrowableOfType(ApiException.class, () -> strict.apply(none));
    ApiObject applied = warned.apply(none);

    assertThat(error.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(error.text()).startsWith("error strict decoding YAML: ").endsWith("line 1: twice");
    assertThat(applied.root().map("data").text("k")).isEqualTo("v");
    assertThat(warnings).containsExactly("line 1: twice");
  }

  private ApplyPatch document(FieldValidation validation) {
    return new ApplyPatch(
        api.registry().fields(),
        api.definition("v1", "configmaps"),
        new AppliedConfiguration(tree(config("'k':'v'")), "one", "", false),
        List.of("line 1: twice"),
        validation,
        warnings::add);
  }

  private static String config(String data) {
    return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{" + data + "}}";
  }

  private static MapNode tree(String json) {
    return (MapNode)
        ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private ApplyPatch applied(
      String version,
      String resource,
      MapNode root,
      String manager,
      String subresource,
      boolean force) {
    return new ApplyPatch(
        api.registry().fields(),
        api.definition(version, resource),
        new AppliedConfiguration(root, manager, subresource, force),
        List.of(),
        FieldValidation.WARN,
        warnings::add);
  }

  private Written patch(String resource, String name, String json, String manager, boolean force) {
    return api.registry()
        .patch(
            api.collection("v1", resource, "default"),
            name,
            applied("v1", resource, tree(json), manager, "", force),
            WriteOptions.PERSIST);
  }

  private ApiObject apply(String resource, String name, String json, String manager) {
    return api.served(patch(resource, name, json, manager, false).object());
  }

  private ApiObject applyTo(
      String version, String resource, String name, String json, String manager, boolean force) {
    return api.served(
        api.registry()
            .patch(
                api.collection(version, resource, "default"),
                name,
                applied(version, resource, tree(json), manager, "", force),
                WriteOptions.PERSIST)
            .object());
  }

  private ApiObject applyVolume(String json, String manager) {
    return api.served(
        api.registry()
            .patch(
                api.collection("v1", "persistentvolumes", ""),
                "v",
                applied("v1", "persistentvolumes", tree(json), manager, "", false),
                WriteOptions.PERSIST)
            .object());
  }

  private ApiException refused(String resource, String name, String json, String manager) {
    return catchThrowableOfType(
        ApiException.class, () -> patch(resource, name, json, manager, false));
  }

  private static List<String> containers(ApiObject deployment) {
    return deployment.root().map("spec").map("template").map("spec").items("containers").stream()
        .map(container -> ((MapNode) container).text("name"))
        .toList();
  }

  private static String time(ApiObject object, int entry) {
    return ((MapNode) object.meta().node().items("managedFields").get(entry)).text("time");
  }

  private static List<String> fields(ApiObject object) {
    return ManagedFieldsText.of(object);
  }
}
