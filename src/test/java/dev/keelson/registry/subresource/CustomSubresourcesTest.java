package dev.keelson.registry.subresource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ManagedFieldsText;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.SubresourceDefinition;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.fieldmanager.AppliedConfiguration;
import dev.keelson.registry.fieldmanager.ApplyPatch;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The subresources status and scale of custom resources. */
@Timeout(60)
class CustomSubresourcesTest {

  private static final String OPEN =
      "'schema':{'openAPIV3Schema':{'type':'object','properties':{"
          + "'spec':{'type':'object','x-kubernetes-preserve-unknown-fields':true},"
          + "'status':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}}";

  private static final String WIDGETS =
      CustomTypes.widgets(
          "'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.size.wanted',"
              + "'statusReplicasPath':'.status.count','labelSelectorPath':'.status.chosen'}},"
              + OPEN);

  private final LocalApi api;
  private final ScaleResource scales;
  private final Collection widgets;

  CustomSubresourcesTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    CustomTypes.serve(api.catalog(), WIDGETS);
    scales = new ScaleResource(api.registry(), api.codec());
    widgets = api.collection("example.com/v1", "widgets", "default");
  }

  @AfterEach
  void close() {
    api.close();
  }

  private ApiObject create(String spec) {
    return api.create(
        "example.com/v1", "widgets", "default", "{'metadata':{'name':'w'},'spec':" + spec + "}");
  }

  private ApiObject setStatus(String status) {
    ApiObject current = api.get("example.com/v1", "widgets", "default", "w");
    return api.served(
        api.registry()
            .replaceStatus(
                widgets,
                "w",
                current.with("status", CustomTypes.tree(status)),
                WriteOptions.PERSIST));
  }

  private ApiObject scale(StoredObject scale) {
    return api.served(scale);
  }

  private static ApiObject scaleOf(String json) {
    return new ApiObject(CustomTypes.tree(json));
  }

  @Test
  void scale_hasTheNumbersAtTheDeclaredPaths() {
    create("{'size':{'wanted':3}}");
    setStatus("{'count':2,'chosen':'a=b'}");

    MapNode scale = scale(scales.get(widgets, "w")).root();

    assertThat(scale.text("kind")).isEqualTo("Scale");
    assertThat(LocalApi.json(scale.map("spec"))).isEqualTo("{'replicas':3}");
    assertThat(LocalApi.json(scale.map("status"))).isEqualTo("{'replicas':2,'selector':'a=b'}");
    assertThat(scale.map("metadata").has("managedFields")).isFalse();
  }

  @Test
  void replacedScale_setsTheDesiredNumberAloneAndCountsTheGeneration() {
    ApiObject before = create("{'size':{'wanted':3,'other':1},'more':'x'}");

    ApiObject scale =
        scale(
            scales.replace(
                widgets,
                "w",
                scaleOf("{'metadata':{'name':'w'},'spec':{'replicas':7}}"),
                WriteOptions.PERSIST));

    ApiObject after = api.get("example.com/v1", "widgets", "default", "w");
    assertThat(LocalApi.json(scale.root().map("spec"))).isEqualTo("{'replicas':7}");
    assertThat(after.root().map("spec"))
        .isEqualTo(CustomTypes.tree("{'size':{'wanted':7,'other':1},'more':'x'}"));
    assertThat(after.meta().node().get("generation")).isEqualTo(new Node.Int(2));
    assertThat(after.meta().uid()).isEqualTo(before.meta().uid());
  }

  @Test
  void scaleWithoutANumber_isABadRequest() {
    create("{'size':{}}");

    ApiException read = failure(() -> scales.get(widgets, "w"));
    ApiException patched =
        failure(() -> scales.patch(widgets, "w", current -> current, WriteOptions.PERSIST));

    assertThat(read.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(read.text())
        .isEqualTo("the spec replicas field \".spec.size.wanted\" does not exist");
    assertThat(patched.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(patched.text())
        .isEqualTo("the spec replicas field \".spec.size.wanted\" cannot be empty");
  }

  @Test
  void replacedScale_mayBringTheNumber() {
    create("{}");

    ApiObject scale =
        scale(
            scales.replace(
                widgets,
                "w",
                scaleOf("{'metadata':{'name':'w'},'spec':{'replicas':1}}"),
                WriteOptions.PERSIST));

    assertThat(LocalApi.json(scale.root().map("spec"))).isEqualTo("{'replicas':1}");
  }

  @Test
  void dryRun_changesNothing() {
    create("{'size':{'wanted':3}}");

    ApiObject scale =
        scale(
            scales.replace(
                widgets,
                "w",
                scaleOf("{'metadata':{'name':'w'},'spec':{'replicas':7}}"),
                WriteOptions.DRY_RUN));

    assertThat(LocalApi.json(scale.root().map("spec"))).isEqualTo("{'replicas':7}");
    assertThat(LocalApi.json(scale(scales.get(widgets, "w")).root().map("spec")))
        .isEqualTo("{'replicas':3}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      textBlock =
          """
          {'metadata':{'name':'x'},'spec':{'replicas':1}} # BAD_REQUEST
          {'metadata':{'name':'w','resourceVersion':'1'},'spec':{'replicas':1}} # CONFLICT
          {'metadata':{'name':'w','uid':'other'},'spec':{'replicas':1}} # CONFLICT
          """)
  void scaleOfAnotherObject_isRejected(String scale, Reason reason) {
    create("{'size':{'wanted':3}}");

    assertThat(
            failure(() -> scales.replace(widgets, "w", scaleOf(scale), WriteOptions.PERSIST))
                .reason())
        .isEqualTo(reason);
  }

  @Test
  void appliedScale_isABadRequest() {
    create("{'size':{'wanted':3}}");
    ApplyPatch patch =
        new ApplyPatch(
            api.registry().fields(),
            SubresourceDefinition.of(widgets.definition(), "scale"),
            new AppliedConfiguration(
                CustomTypes.tree(
                    "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'w'},"
                        + "'spec':{'replicas':4}}"),
                "manager",
                "scale",
                /* force= */ false),
            List.of(),
            FieldValidation.STRICT,
            _ -> {});

    ApiException rejected = failure(() -> scales.patch(widgets, "w", patch, WriteOptions.PERSIST));

    assertThat(rejected.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(rejected.text())
        .isEqualTo(
            "failed to create typed patch object (/w; autoscaling/v1, Kind=Scale): no corresponding"
                + " type for autoscaling/v1, Kind=Scale");
  }

  @Test
  void missingObject_isNotFound() {
    assertThat(failure(() -> scales.get(widgets, "w")).reason()).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void patchedScale_showsTheManagersOfTheNumber() {
    create("{'size':{'wanted':3}}");

    StoredObject patched =
        scales
            .patch(
                widgets,
                "w",
                current -> {
                  assertThat(current.meta().node().items("managedFields")).hasSize(1);
                  return current.with("spec", CustomTypes.tree("{'replicas':4}"));
                },
                WriteOptions.PERSIST)
            .object();

    assertThat(LocalApi.json(scale(patched).root().map("spec"))).isEqualTo("{'replicas':4}");
  }

  @Test
  void patchedScale_takesTheNumberFromItsOwner() {
    create("{'size':{'wanted':3},'more':'x'}");
    WriteOptions applier = new WriteOptions(false, "applier", WriteOptions.SERVER, _ -> {});
    WriteOptions scaler = new WriteOptions(false, "scaler", WriteOptions.SERVER, _ -> {});
    ApplyPatch patch =
        new ApplyPatch(
            api.registry().fields(),
            widgets.definition(),
            new AppliedConfiguration(
                CustomTypes.tree(
                    "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'w'},"
                        + "'spec':{'size':{'wanted':3}}}"),
                "applier",
                "",
                /* force= */ false),
            List.of(),
            FieldValidation.STRICT,
            _ -> {});
    ApiObject applied = api.served(api.registry().patch(widgets, "w", patch, applier).object());

    ApiObject scaled =
        scale(
            scales
                .patch(
                    widgets,
                    "w",
                    current -> current.with("spec", CustomTypes.tree("{'replicas':5}")),
                    scaler)
                .object());

    assertThat(ManagedFieldsText.of(applied)).hasSize(2);
    assertThat(scaled.root().map("spec").get("replicas")).isEqualTo(new Node.Int(5));
    assertThat(ManagedFieldsText.of(api.get("example.com/v1", "widgets", "default", "w")))
        .containsExactly(
            "applier Apply example.com/v1 {'f:spec':{'f:size':{}}}",
            "scaler Update example.com/v1 scale {'f:spec':{'f:size':{'f:wanted':{}}}}",
            "keelson Update example.com/v1 {'f:spec':{'.':{},'f:more':{},'f:size':{}}}");
    assertThat(
            api.get("example.com/v1", "widgets", "default", "w")
                .meta()
                .node()
                .items("managedFields"))
        .extracting(entry -> ((MapNode) entry).has("time"))
        .containsExactly(false, false, true);
  }

  @Test
  void statusAndMainResource_leaveEachOtherAlone() {
    create("{'size':{'wanted':3}}");
    ApiObject withStatus = setStatus("{'count':2}");

    assertThatThrownBy(
            () ->
                api.replace(
                    "example.com/v1",
                    "widgets",
                    "default",
                    "w",
                    new ApiObject(withStatus.root().without("metadata"))))
        .isInstanceOf(ApiException.class);
    ApiObject changed =
        api.replace(
            "example.com/v1",
            "widgets",
            "default",
            "w",
            withStatus
                .with("spec", CustomTypes.tree("{'size':{'wanted':5}}"))
                .with("status", CustomTypes.tree("{'count':9}")));
    ApiObject again = setStatus("{'count':4}");

    assertThat(LocalApi.json(changed.root().map("status"))).isEqualTo("{'count':2}");
    assertThat(changed.meta().node().get("generation")).isEqualTo(new Node.Int(2));
    assertThat(LocalApi.json(again.root().map("status"))).isEqualTo("{'count':4}");
    assertThat(again.meta().node().get("generation")).isEqualTo(new Node.Int(2));
  }

  private static ApiException failure(ThrowingCallable call) {
    return catchThrowableOfType(ApiException.class, call);
  }
}
