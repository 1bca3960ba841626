package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.patch.JsonPatch;
import dev.keelson.schema.patch.MergePatch;
import dev.keelson.schema.patch.Patch;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Custom objects on their way through the registry: defaults, pruning, validation, generation. */
@Timeout(120)
class CustomObjectsTest extends RegistryTest {

  private static final String VERSION = "example.com/v1";
  private static final String SCHEMA =
      """
      'schema':{'openAPIV3Schema':{'type':'object','properties':{
        'spec':{'type':'object','properties':{
          'size':{'type':'integer','minimum':1,'default':3},
          'color':{'type':'string'},
          'parts':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}}}},
        'status':{'type':'object','properties':{'phase':{'type':'string'}}}}}}
      """;

  private final List<String> warnings = new ArrayList<>();

  CustomObjectsTest(@TempDir Path directory) {
    super(LocalApi.openStrict(directory));
    CustomTypes.serve(
        api.catalog(),
        CustomTypes.widgets(SCHEMA + ",'subresources':{'status':{}}"),
        CustomTypes.definition("example.com", "plains", "Plain", "Cluster", SCHEMA));
  }

  private ApiObject create(String json) {
    return api.create(VERSION, "widgets", "default", json);
  }

  private ApiObject get() {
    return api.get(VERSION, "widgets", "default", "w");
  }

  private ApiObject replace(ApiObject object) {
    return api.replace(VERSION, "widgets", "default", "w", object);
  }

  private ApiObject patch(Patch patch) {
    Collection widgets = api.collection(VERSION, "widgets", "default");
    DocumentPatch document =
        new DocumentPatch(
            patch, List.of(), widgets.definition(), FieldValidation.WARN, warnings::add);
    WriteOptions options = new WriteOptions(false, "me", WriteOptions.SERVER, warnings::add);
    return api.served(api.registry().patch(widgets, "w", document, options).object());
  }

  private static Node json(String text) {
    return ObjectReader.untypedJson(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> causes(ApiException e) {
    return e.details().causes().stream().map(FieldCause::summary).toList();
  }

  private ApiException refused(Runnable write) {
    return catchThrowableOfType(ApiException.class, write::run);
  }

  @Test
  void create_fillsInDefaultsAndDropsTheStatus() {
    ApiObject created = create("{'metadata':{'name':'w'},'spec':{},'status':{'phase':'on'}}");

    assertThat(created.root().map("spec").get("size")).isEqualTo(new Node.Int(3));
    assertThat(created.root().has("status")).isFalse();
    assertThat(created.meta().generation()).isEqualTo(1);
    assertThat(get()).isEqualTo(created);
  }

  @Test
  void create_ofAnInvalidObjectNamesEachCause() {
    ApiException e =
        refused(
            () ->
                create("{'metadata':{'name':'w'},'spec':{'size':0,'color':5,'parts':['a','a']}}"));

    assertThat(e.reason()).isEqualTo(Reason.INVALID);
    assertThat(causes(e))
        .containsExactly(
            "spec.color: Invalid value: \"integer\": spec.color in body must be of type string:"
                + " \"integer\"",
            "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1",
            "spec.parts[1]: Duplicate value: \"a\"");
  }

  @Test
  void update_raisesTheGenerationWithTheSpecAlone() {
    ApiObject created = create("{'metadata':{'name':'w'},'spec':{'size':1}}");

    ApiObject labelled =
        replace(created.withMeta(created.meta().with("labels", json("{'a':'b'}"))));
    ApiObject resized =
        replace(labelled.with("spec", json("{'size':2}")).with("status", json("{'phase':'x'}")));

    assertThat(labelled.meta().generation()).isEqualTo(1);
    assertThat(resized.meta().generation()).isEqualTo(2);
    assertThat(resized.root().has("status")).isFalse();
  }

  @Test
  void statusUpdate_changesTheStatusAlone() {
    ApiObject created = create("{'metadata':{'name':'w'},'spec':{'size':1}}");
    ApiObject wanted =
        created
            .with("spec", json("{'size':9}"))
            .with("status", json("{'phase':'on'}"))
            .withMeta(created.meta().with("labels", json("{'a':'b'}")));

    ApiObject updated =
        api.served(
            api.registry()
                .replaceStatus(
                    api.collection(VERSION, "widgets", "default"),
                    "w",
                    wanted,
                    WriteOptions.PERSIST));

    assertThat(updated.root().get("spec")).isEqualTo(json("{'size':1}"));
    assertThat(updated.root().get("status")).isEqualTo(json("{'phase':'on'}"));
    assertThat(updated.meta().labels()).isEmpty();
    assertThat(updated.meta().generation()).isEqualTo(1);
  }

  @Test
  void statusOfATypeWithoutTheSubresource_isAFieldLikeAnyOther() {
    ApiObject created =
        api.create(
            VERSION,
            "plains",
            "",
            "{'metadata':{'name':'p','namespace':'lost'},'status':{'phase':'on'}}");

    ApiObject updated =
        api.replace(VERSION, "plains", "", "p", created.with("status", json("{'phase':'off'}")));

    assertThat(created.meta().node().has("namespace")).isFalse();
    assertThat(updated.meta().generation()).isEqualTo(2);
    assertThat(updated.root().map("status").text("phase")).isEqualTo("off");
  }

  @Test
  void update_withoutResourceVersionIsInvalid() {
    ApiObject created = create("{'metadata':{'name':'w'},'spec':{}}");

    ApiException e =
        refused(() -> replace(created.withMeta(created.meta().without("resourceVersion"))));

    assertThat(causes(e))
        .containsExactly(
            "metadata.resourceVersion: Invalid value: 0x0: must be specified for an update");
  }

  @Test
  void mergePatch_prunesWarnsAndRemoves() {
    create("{'metadata':{'name':'w'},'spec':{'size':1,'color':'red'}}");

    ApiObject patched =
        patch(MergePatch.of(json("{'spec':{'color':null,'size':2.0,'unknown':{'a':1}}}")));

    assertThat(patched.root().get("spec")).isEqualTo(json("{'size':2}"));
    assertThat(warnings).containsExactly("unknown field \"spec.unknown\"");
  }

  @Test
  void mergePatch_ofADefaultRestoresIt() {
    create("{'metadata':{'name':'w'},'spec':{'size':1}}");

    ApiObject patched = patch(MergePatch.of(json("{'spec':{'size':null}}")));

    assertThat(patched.root().get("spec")).isEqualTo(json("{'size':3}"));
  }

  @Test
  void jsonPatch_isValidated() {
    create("{'metadata':{'name':'w'},'spec':{'size':1}}");

    ApiException e =
        refused(
            () ->
                patch(JsonPatch.of(json("[{'op':'replace','path':'/spec/size','value':'big'}]"))));

    assertThat(causes(e))
        .containsExactly(
            "spec.size: Invalid value: \"string\": spec.size in body must be of type integer:"
                + " \"string\"");
  }

  @Test
  void patch_toAnotherKindIsInvalid() {
    create("{'metadata':{'name':'w'},'spec':{}}");

    ApiException e = refused(() -> patch(MergePatch.of(json("{'kind':'Gadget'}"))));

    assertThat(e.reason()).isEqualTo(Reason.INVALID);
    assertThat(e.getMessage())
        .isEqualTo(
            "Gadget.example.com \"w\" is invalid: kind: Invalid value: \"Gadget\": must be"
                + " Widget");
  }

  @Test
  void update_leavesWhatATighterSchemaNoLongerAllows() {
    ApiObject created = create("{'metadata':{'name':'w'},'spec':{'size':5,'color':'red'}}");
    CustomTypes.serve(
        api.catalog(), CustomTypes.widgets(SCHEMA.replace("'minimum':1", "'minimum':7")));

    ApiObject updated = replace(get().with("spec", json("{'size':5,'color':'blue'}")));
    ApiException e = refused(() -> replace(updated.with("spec", json("{'size':6}"))));

    assertThat(created.meta().name()).isEqualTo("w");
    assertThat(updated.root().map("spec").text("color")).isEqualTo("blue");
    assertThat(causes(e))
        .containsExactly(
            "spec.size: Invalid value: 6: spec.size in body should be greater than or equal to 7");
  }

  @Test
  void malformedMetadataInTheStore_isDroppedAndTheGenerationIsOne() {
    String stored =
        "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'w','namespace':"
            + "'default','uid':'u','unknown':42,'generation':null,'annotations':{'a':42,'b':'x'},"
            + "'labels':{'invalid':'x y'}},'spec':{'size':1}}";
    WriteOutcome written =
        api.store()
            .write(
                Write.put(
                    Bytes.utf8("/registry/example.com/widgets/default/w"),
                    Bytes.utf8(stored.replace('\'', '"')),
                    Write.ABSENT));

    ApiObject read = get();
    ApiException e =
        refused(
            () ->
                replace(
                    read.withMeta(
                        read.meta().with("labels", json("{'invalid':'x y','other':'z'}")))));
    ApiObject mended = replace(read.withMeta(read.meta().with("labels", json("{'a':'b'}"))));

    assertThat(written).isInstanceOf(WriteOutcome.Applied.class);
    assertThat(read.meta().generation()).isEqualTo(1);
    assertThat(read.meta().node().has("unknown")).isFalse();
    assertThat(read.meta().annotations()).isEmpty();
    assertThat(read.meta().labels()).containsExactly(Map.entry("invalid", "x y"));
    assertThat(e.reason()).isEqualTo(Reason.INVALID);
    assertThat(mended.meta().generation()).isEqualTo(1);
  }

  @Test
  void get_appliesTheSchemaOfTodayToWhatWasStored() {
    create("{'metadata':{'name':'w'},'spec':{'size':5,'color':'red'}}");
    CustomTypes.serve(
        api.catalog(),
        CustomTypes.widgets(
            SCHEMA.replace(
                "'color':{'type':'string'}", "'shade':{'type':'string','default':'dark'}")));

    assertThat(get().root().get("spec")).isEqualTo(json("{'shade':'dark','size':5}"));
  }

  @Test
  void finalizers_thatAreNotQualified_areWarnedOfOnce() {
    create("{'metadata':{'name':'w','finalizers':['old']}}");

    patch(MergePatch.of(json("{'metadata':{'labels':{'a':'b'}}}")));
    assertThat(warnings).isEmpty();
    patch(MergePatch.of(json("{'metadata':{'finalizers':['old','z','b']}}")));

    assertThat(warnings)
        .extracting(warning -> warning.substring(0, warning.lastIndexOf(": prefer")))
        .containsExactly("metadata.finalizers: \"b\"", "metadata.finalizers: \"z\"");
  }
}
