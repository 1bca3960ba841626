package dev.keelson.registry.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.DocumentPatch;
import dev.keelson.registry.ObjectPatch;
import dev.keelson.registry.WriteOptions;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.patch.JsonPatch;
import dev.keelson.schema.patch.MergePatch;
import dev.keelson.schema.patch.Patch;
import dev.keelson.schema.patch.StrategicMergePatch;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Expected answers: derived by hand from the patch handler of Kubernetes 1.36, not captured from a
 * server.
 */
@Timeout(120)
class PatchingTest {

  private static final String DEPLOYMENT =
      "{'metadata':{'name':'web','labels':{'a':'1','b':'2'},'finalizers':['x.y/z']},'spec':{'replicas':2,"
          + "'selector':{'matchLabels':{'app':'web'}},'template':{'metadata':{'labels':{'app':'web'}},"
          + "'spec':{'containers':[{'name':'main','image':'nginx'},{'name':'side','image':'envoy'}]}}}}";

  private final LocalApi api;
  private final List<String> warnings = new ArrayList<>();

  PatchingTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
  }

  @BeforeEach
  void createDeployment() {
    ApiObject created = api.create("apps/v1", "deployments", "default", DEPLOYMENT);
    assertThat(created.meta().generation()).isEqualTo(1);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private Collection deployments(String version) {
    return api.collection(version, "deployments", "default");
  }

  private ApiObject current() {
    return api.get("apps/v1", "deployments", "default", "web");
  }

  private static Node json(String text) {
    return ObjectReader.untypedJson(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private ObjectPatch document(String kind, String patch, FieldValidation validation) {
    ResourceDefinition definition = deployments("apps/v1").definition();
    return document(definition, kind, patch, validation);
  }

  private ObjectPatch document(
      ResourceDefinition definition, String kind, String patch, FieldValidation validation) {
    Patch parsed =
        switch (kind) {
          case "json" -> JsonPatch.of(json(patch));
          case "merge" -> MergePatch.of(json(patch));
          case "strategic" -> StrategicMergePatch.of(json(patch), definition.schema());
          default -> throw new IllegalArgumentException(kind);
        };
    return new DocumentPatch(parsed, List.of(), definition, validation, warnings::add);
  }

  private ApiObject patch(String kind, String patch) {
    return patch(document(kind, patch, FieldValidation.STRICT));
  }

  private ApiObject patch(ObjectPatch patch) {
    return api.served(
        api.registry().patch(deployments("apps/v1"), "web", patch, WriteOptions.PERSIST).object());
  }

  private ApiException refused(String kind, String patch) {
    return refused(document(kind, patch, FieldValidation.STRICT));
  }

  private ApiException refused(ObjectPatch patch) {
    String before = LocalApi.json(current().root());
    ApiException error = catchThrowableOfType(ApiException.class, () -> patch(patch));
    assertThat(error).isNotNull();
    assertThat(LocalApi.json(current().root())).as("after a refusal").isEqualTo(before);
    return error;
  }

  @Test
  void patch_strategic_mergesAndStores() {
    ApiObject before = current();

    ApiObject after =
        patch(
            "strategic",
            "{'spec':{'template':{'spec':{'containers':[{'name':'side','image':'envoy:2'}]}}}}");

    assertThat(after.root().at("spec", "template", "spec", "containers"))
        .isEqualTo(
            json(
                "[{'name':'main','image':'nginx','resources':{},"
                    + "'terminationMessagePath':'/dev/termination-log',"
                    + "'terminationMessagePolicy':'File','imagePullPolicy':'Always'},"
                    + "{'name':'side','image':'envoy:2','resources':{},"
                    + "'terminationMessagePath':'/dev/termination-log',"
                    + "'terminationMessagePolicy':'File','imagePullPolicy':'Always'}]"));
    assertThat(after.meta().generation()).isEqualTo(2);
    assertThat(after.meta().uid()).isEqualTo(before.meta().uid());
    assertThat(Long.parseLong(after.meta().resourceVersion()))
        .isGreaterThan(Long.parseLong(before.meta().resourceVersion()));
    assertThat(current()).isEqualTo(after);
  }

  @Test
  void patch_merge_replacesLists() {
    ApiObject after =
        patch("merge", "{'metadata':{'labels':{'a':null,'c':'3'},'finalizers':['p.q/r']}}");

    assertThat(after.meta().labels()).containsOnlyKeys("b", "c");
    assertThat(after.meta().finalizers()).containsExactly("p.q/r");
    assertThat(after.meta().generation()).as("only metadata changed").isEqualTo(1);
  }

  @Test
  void patch_json_appliesEveryOperation() {
    ApiObject after =
        patch(
            "json",
            "[{'op':'test','path':'/spec/replicas','value':2},{'op':'replace','path':'/spec/replicas','value':5},"
                + "{'op':'add','path':'/metadata/labels/c','value':'3'}]");

    assertThat(after.root().at("spec", "replicas")).isEqualTo(new Node.Int(5));
    assertThat(after.meta().labels()).containsEntry("c", "3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "strategic | {}",
        "strategic | {'spec':{'replicas':2},'metadata':{'labels':{'c':null}}}",
        "merge     | {'metadata':{'labels':{'a':'1'}},'status':{'replicas':9}}",
        "merge     |"
            + " {'metadata':{'generation':77,'creationTimestamp':'2020-01-01T00:00:00Z','selfLink':'x'}}",
        "json      | []",
        "json      | [{'op':'test','path':'/kind','value':'Deployment'}]",
      })
  void patch_thatChangesNothing_storesNothing(String kind, String document) {
    ApiObject before = current();

    ApiObject after = patch(kind, document);

    assertThat(after).isEqualTo(before);
    assertThat(current()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "merge     | {'metadata':{'managedFields':[]}}",
        "merge     | {'metadata':{'managedFields':[{}]}}",
        "strategic | {'metadata':{'managedFields':[]}}",
        "strategic | {'metadata':{'managedFields':[{}]}}",
        "json      | [{'op':'replace','path':'/metadata/managedFields','value':[]}]",
        "json      | [{'op':'replace','path':'/metadata/managedFields','value':[{}]}]",
      })
  void patch_thatEmptiesTheManagers_forgetsThem(String kind, String document) {
    ApiObject before = current();

    ApiObject after = patch(kind, document);

    assertThat(before.meta().node().items("managedFields")).isNotEmpty();
    assertThat(after.meta().node().has("managedFields")).isFalse();
    assertThat(after.root().map("spec")).isEqualTo(before.root().map("spec"));
  }

  @Test
  void patch_inAnotherVersion_isAppliedToThatVersion() {
    Collection old = deployments("extensions/v1beta1");
    ObjectPatch patch =
        document(
            old.definition(),
            "json",
            "[{'op':'test','path':'/apiVersion','value':'extensions/v1beta1'},{'op':'replace','path':'/spec/replicas','value':4}]",
            FieldValidation.STRICT);

    ApiObject after =
        api.served(api.registry().patch(old, "web", patch, WriteOptions.PERSIST).object());

    assertThat(after.apiVersion()).isEqualTo("extensions/v1beta1");
    assertThat(current().apiVersion()).isEqualTo("apps/v1");
    assertThat(current().root().at("spec", "replicas")).isEqualTo(new Node.Int(4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "strategic"})
  void patch_withTheCurrentResourceVersion_isApplied(String kind) {
    String version = current().meta().resourceVersion();

    ApiObject after =
        patch(kind, "{'metadata':{'resourceVersion':'" + version + "','labels':{'c':'3'}}}");

    assertThat(after.meta().labels()).containsEntry("c", "3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "merge     | {'metadata':{'resourceVersion':'1','labels':{'c':'3'}}}",
        "strategic | {'metadata':{'resourceVersion':'1','labels':{'c':'3'}}}",
        "json      | [{'op':'replace','path':'/metadata/resourceVersion','value':'1'}]",
      })
  void patch_withAnOldResourceVersion_isAConflict(String kind, String document) {
    ApiException error = refused(kind, document);

    assertThat(error.reason()).isEqualTo(Reason.CONFLICT);
    assertThat(error)
        .hasMessage(
            "Operation cannot be fulfilled on deployments.apps \"web\": the object has been"
                + " modified; please apply your changes to the latest version and try again");
  }

  /** A patch that, the first times it is applied, lets somebody else be faster. */
  private ObjectPatch outrun(ObjectPatch patch, AtomicInteger times) {
    return seen -> {
      if (times.getAndDecrement() > 0) {
        ApiObject before = current();
        ApiObject other =
            before.withMeta(
                before
                    .meta()
                    .with("annotations", MapNode.of("other", Node.text("" + times.get()))));
        api.replace("apps/v1", "deployments", "default", "web", other);
      }
      return patch.apply(seen);
    };
  }

  @Test
  void patch_thatLosesTheRace_isMadeAgainOnTheNewerState() {
    AtomicInteger races = new AtomicInteger(3);
    ObjectPatch patch =
        document("merge", "{'metadata':{'labels':{'c':'3'}}}", FieldValidation.STRICT);

    ApiObject after = patch(outrun(patch, races));

    assertThat(after.meta().labels()).containsEntry("c", "3");
    assertThat(after.meta().annotations()).containsEntry("other", "0");
    assertThat(races).hasNegativeValue();
  }

  @Test
  void patch_withResourceVersionThatLosesTheRace_isAConflict() {
    String version = current().meta().resourceVersion();
    ObjectPatch patch =
        document(
            "merge",
            "{'metadata':{'resourceVersion':'" + version + "','labels':{'c':'3'}}}",
            FieldValidation.STRICT);

    ApiException error =
        catchThrowableOfType(ApiException.class, () -> patch(outrun(patch, new AtomicInteger(1))));

    assertThat(error.reason()).isEqualTo(Reason.CONFLICT);
    assertThat(current().meta().labels()).doesNotContainKey("c");
  }

  @Test
  void patch_whenOthersAreAlwaysFaster_endsInAConflict() {
    ObjectPatch patch =
        document("merge", "{'metadata':{'labels':{'c':'3'}}}", FieldValidation.STRICT);

    ApiException error =
        catchThrowableOfType(
            ApiException.class, () -> patch(outrun(patch, new AtomicInteger(Integer.MAX_VALUE))));

    assertThat(error.reason()).isEqualTo(Reason.CONFLICT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "merge     | {'metadata':{'name':'other'}}      | BAD_REQUEST | the name of the object"
            + " (other) does not match the name on the URL (web)",
        "merge     | {'metadata':{'name':null}}         | BAD_REQUEST | the name of the object (web"
            + " based on URL) was undeterminable: name must be provided",
        "strategic | {'$patch':'delete'}                | BAD_REQUEST | the name of the object (web"
            + " based on URL) was undeterminable: name must be provided",
        "merge     | {'metadata':null}                  | BAD_REQUEST | the name of the object (web"
            + " based on URL) was undeterminable: name must be provided",
        "merge     | {'metadata':{'namespace':'other'}} | BAD_REQUEST | the namespace of the object"
            + " (other) does not match the namespace on the request (default)",
        "strategic | {'metadata':{'uid':'u'}}           | INVALID     | Deployment.apps \"web\" is"
            + " invalid: metadata.uid: Invalid value: \"u\": field is immutable",
        "merge     | {'metadata':{'labels':{'a b':''}}} | INVALID     | Deployment.apps \"web\" is"
            + " invalid: metadata.labels: Invalid value: \"a b\"",
        "merge     | {'kind':'Pod'}                     | INVALID     | the kind in the data (Pod)"
            + " does not match the expected kind (Deployment)",
        "merge     | {'apiVersion':'apps/v2'}           | INVALID     | the API version in the data"
            + " (apps/v2) does not match the expected API version (apps/v1)",
        "merge     | {'spec':{'replicas':'x'}}          | INVALID     |  \"\" is invalid: patch:"
            + " Invalid value: ",
        "strategic | {'spec':{'replicas':'x'}}          | INVALID     |  \"\" is invalid: patch:"
            + " Invalid value: \"map[spec:map[replicas:x]]\": unrecognized type: int32",
        "strategic | {'spec':{'template':{'spec':{'containers':[{'image':'x'}]}}}} | BAD_REQUEST |"
            + " map: map[image:x] does not contain declared merge key: name",
        "json      | [{'op':'test','path':'/spec/replicas','value':3}] | INVALID | the server"
            + " rejected our request due to an error in our request",
        "json      | [{'op':'remove','path':'/spec/nope'}]             | INVALID | the server"
            + " rejected our request due to an error in our request",
        "json      | [{'op':'replace','path':'','value':[]}]           | INVALID | json: cannot"
            + " unmarshal array",
        "json      | [{'op':'replace','path':'','value':{}}]           | INVALID | the kind in the"
            + " data () does not match",
      })
  void patch_thatMustNotBe_isRefused(String kind, String patch, Reason reason, String message) {
    ApiException error = refused(kind, patch);

    assertThat(error.reason()).as(error.text()).isEqualTo(reason);
    assertThat(error).hasMessageContaining(message);
  }

  @Test
  void patch_strategicInTheWordsOfAnotherVersion_isTaken() {
    ApiObject after =
        patch("strategic", "{'apiVersion':'extensions/v1beta1','metadata':{'labels':{'c':'3'}}}");

    assertThat(after.apiVersion()).isEqualTo("apps/v1");
    assertThat(after.meta().labels()).containsEntry("c", "3");
  }

  @Test
  void patch_thatDoesNotFit_saysWhyInItsCause() {
    ApiException error = refused("json", "[{'op':'test','path':'/spec/replicas','value':3}]");

    assertThat(error.details().causes())
        .containsExactly(
            new FieldCause(
                "FieldValueInvalid", "testing value /spec/replicas failed: test failed", "patch"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "strategic"})
  void patch_withUnknownFields_isTreatedAsAsked(String kind) {
    String patch = "{'spec':{'replicas':7,'foo':1,'template':{'spec':{'bar':{'x':2}}}}}";

    ApiException strict = refused(document(kind, patch, FieldValidation.STRICT));
    assertThat(strict.reason()).isEqualTo(Reason.INVALID);
    assertThat(strict)
        .hasMessageContaining("strict decoding error: unknown field ")
        .hasMessageContaining("\"spec.foo\"")
        .hasMessageContaining("\"spec.template.spec.bar\"");

    ApiObject warned = patch(document(kind, patch, FieldValidation.WARN));
    assertThat(warned.root().at("spec", "replicas")).isEqualTo(new Node.Int(7));
    assertThat(warned.root().at("spec", "foo")).isNull();
    assertThat(warnings)
        .containsExactlyInAnyOrder(
            "unknown field \"spec.foo\"", "unknown field \"spec.template.spec.bar\"");

    warnings.clear();
    ApiObject ignored = patch(document(kind, patch, FieldValidation.IGNORE));
    assertThat(ignored).isEqualTo(warned);
    assertThat(warnings).isEmpty();
  }

  @Test
  void patch_inADryRun_storesNothing() {
    ApiObject before = current();
    ObjectPatch patch = document("merge", "{'spec':{'replicas':9}}", FieldValidation.STRICT);

    ApiObject answered =
        api.served(
            api.registry()
                .patch(deployments("apps/v1"), "web", patch, WriteOptions.DRY_RUN)
                .object());

    assertThat(answered.root().at("spec", "replicas")).isEqualTo(new Node.Int(9));
    assertThat(answered.meta().generation()).isEqualTo(2);
    assertThat(current()).isEqualTo(before);
  }

  @Test
  void patchStatus_changesTheStatusAlone() {
    ObjectPatch patch =
        document(
            "merge",
            "{'metadata':{'labels':{'c':'3'}},'spec':{'replicas':9},'status':{'replicas':1}}",
            FieldValidation.STRICT);

    Written written =
        api.registry().patchStatus(deployments("apps/v1"), "web", patch, WriteOptions.PERSIST);

    assertThat(written.created()).isFalse();
    ApiObject after = current();
    assertThat(after.root().at("status", "replicas")).isEqualTo(new Node.Int(1));
    assertThat(after.root().at("spec", "replicas")).isEqualTo(new Node.Int(2));
    assertThat(after.meta().labels()).doesNotContainKey("c");
    assertThat(after.meta().generation()).isEqualTo(1);
  }

  @Test
  void patchStatus_ofConditions_mergesByType() {
    ObjectPatch first =
        document(
            "strategic",
            "{'status':{'conditions':[{'type':'Available','status':'True'},{'type':'Progressing','status':'True'}]}}",
            FieldValidation.STRICT);
    ObjectPatch second =
        document(
            "strategic",
            "{'status':{'conditions':[{'type':'Progressing','status':'False'}]}}",
            FieldValidation.STRICT);

    for (ObjectPatch patch : List.of(first, second)) {
      Written written =
          api.registry().patchStatus(deployments("apps/v1"), "web", patch, WriteOptions.PERSIST);
      assertThat(written.created()).isFalse();
    }

    List<Node> conditions = current().root().map("status").items("conditions");
    assertThat(conditions)
        .extracting(item -> ((MapNode) item).text("type") + ((MapNode) item).text("status"))
        .containsExactly("AvailableTrue", "ProgressingFalse");
  }

  @Test
  void patch_ofWhatIsNotThere_isNotFound() {
    ObjectPatch patch = document("merge", "{}", FieldValidation.STRICT);

    for (WriteOptions mode : List.of(WriteOptions.PERSIST, WriteOptions.DRY_RUN)) {
      ApiException error =
          catchThrowableOfType(
              ApiException.class,
              () -> api.registry().patch(deployments("apps/v1"), "nope", patch, mode));
      assertThat(error.reason()).isEqualTo(Reason.NOT_FOUND);
      assertThat(error).hasMessage("deployments.apps \"nope\" not found");
    }
    ApiException status =
        catchThrowableOfType(
            ApiException.class,
            () ->
                api.registry()
                    .patchStatus(deployments("apps/v1"), "nope", patch, WriteOptions.PERSIST));
    assertThat(status.reason()).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void patch_thatCanCreate_createsWhatIsNotThere() {
    ObjectPatch patch =
        new ObjectPatch() {
          @Override
          public ApiObject apply(ApiObject current) {
            throw new AssertionError("there is none: " + current);
          }

          @Override
          public Optional<ApiObject> whenMissing() {
            return Optional.of(
                api.object(
                    "apps/v1",
                    "deployments",
                    DEPLOYMENT.replace("'web','labels'", "'new','labels'")));
          }
        };

    Written written =
        api.registry().patch(deployments("apps/v1"), "new", patch, WriteOptions.PERSIST);

    assertThat(written.created()).isTrue();
    assertThat(api.get("apps/v1", "deployments", "default", "new").meta().uid()).isNotEmpty();
  }

  @Test
  void patch_thatTakesTheLastFinalizer_lastRemovesTheObject() {
    Deleted deleted =
        api.registry()
            .delete(deployments("apps/v1"), "web", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);
    assertThat(deleted.gone()).isFalse();

    ApiObject last =
        patch("strategic", "{'metadata':{'$deleteFromPrimitiveList/finalizers':['x.y/z']}}");

    assertThat(last.meta().finalizers()).isEmpty();
    assertThat(api.registry().find(deployments("apps/v1"), "web")).isEmpty();
  }

  @Test
  void patch_thatAddsAFinalizerWhileDeleting_isRefused() {
    Deleted deleted =
        api.registry()
            .delete(deployments("apps/v1"), "web", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);
    assertThat(deleted.gone()).isFalse();

    ApiException error = refused("strategic", "{'metadata':{'finalizers':['n.e/w']}}");

    assertThat(error.reason()).isEqualTo(Reason.INVALID);
    assertThat(error).hasMessageContaining("no new finalizers can be added");
  }

  @Test
  void patch_nestedTooDeeply_isRefused() {
    String deep = "{'a':".repeat(500) + "1" + "}".repeat(500);
    ApiObject revision =
        api.create(
            "apps/v1",
            "controllerrevisions",
            "default",
            "{'metadata':{'name':'r'},'revision':1,'data':" + deep + "}");
    assertThat(revision.meta().name()).isEqualTo("r");
    Collection revisions = api.collection("apps/v1", "controllerrevisions", "default");
    ObjectPatch patch =
        document(
            revisions.definition(),
            "json",
            "[{'op':'copy','from':'/data','path':'/data" + "/a".repeat(400) + "'}]",
            FieldValidation.STRICT);

    ApiException error =
        catchThrowableOfType(
            ApiException.class,
            () -> api.registry().patch(revisions, "r", patch, WriteOptions.PERSIST));

    assertThat(error.reason()).isEqualTo(Reason.INVALID);
    assertThat(error.text()).hasSizeLessThan(8000);
  }
}
