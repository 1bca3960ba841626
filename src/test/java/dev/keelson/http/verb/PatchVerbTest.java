package dev.keelson.http.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.media.MetaSchemas;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.ObjectPatch;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.ResourceRow;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class PatchVerbTest {

  private static final String JSON = "application/json-patch+json";
  private static final String MERGE = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";

  private final LocalApi api;
  private final BodyWriter writer;
  private final RequestContext context =
      new RequestContext(new UserInfo("user", "", List.of(), Map.of()), "audit");

  PatchVerbTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    ProtoSchemas schemas = ProtoSchemas.fromClassPath();
    writer =
        new BodyWriter(api.registry(), api.codec(), MetaSchemas.of(schemas::struct), api.clock());
    String name =
        api.create("v1", "configmaps", "default", "{'metadata':{'name':'c'},'data':{'a':'1'}}")
            .meta()
            .name();
    assertThat(name).isEqualTo("c");
  }

  @AfterEach
  void close() {
    api.close();
  }

  private ResourceCall call(String contentType, String query, String body) {
    String path = "/api/v1/namespaces/default/configmaps/c";
    ApiRequest request =
        new ApiRequest(
            "PATCH",
            path,
            Query.parse(query),
            contentType.isEmpty() ? Map.of() : Map.of("content-type", List.of(contentType)),
            body.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
            List.of(),
            "127.0.0.1");
    RequestInfo info = RequestInfoResolver.parse("PATCH", path, request.query().firsts());
    return new ResourceCall(
        new Exchange(request, info, context),
        (RequestInfo.Resource) info,
        api.definition("v1", "configmaps"));
  }

  private ApiResponse patch(String contentType, String query, String body) {
    return new PatchVerb(api.registry()::patch, List.of(DocumentPatchFormat.values()), writer)
        .handle(call(contentType, query, body));
  }

  private String data() {
    return LocalApi.json(api.get("v1", "configmaps", "default", "c").root().map("data"));
  }

  private ApiException refused(String contentType, String query, String body) {
    ApiException error =
        catchThrowableOfType(ApiException.class, () -> patch(contentType, query, body));
    assertThat(error).isNotNull();
    assertThat(data()).as("after a refusal").isEqualTo("{'a':'1'}");
    return error;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        JSON + "                | [{'op':'add','path':'/data/b','value':'2'}]",
        MERGE + "               | {'data':{'b':'2'}}",
        STRATEGIC + "           | {'data':{'b':'2'}}",
        MERGE + "; charset=utf-8 | {'data':{'b':'2'}}",
        "Application/Merge-Patch+JSON | {'data':{'b':'2'}}",
      })
  void handle_everyContentType_isApplied(String type, String body) {
    ApiResponse answer = patch(type, "fieldManager=kubectl-edit&fieldValidation=Strict", body);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(new String(answer.payload().toByteArray(), StandardCharsets.UTF_8))
        .contains("\"data\":{\"a\":\"1\",\"b\":\"2\"}");
    assertThat(data()).isEqualTo("{'a':'1','b':'2'}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "application/json",
        "application/yaml",
        "text/plain",
        "application/apply-patch+json",
        "*/*"
      })
  void handle_anotherContentType_isRefusedWithTheAcceptedOnes(String type) {
    ApiException error = refused(type, "dryRun=nonsense", "not read");

    assertThat(error.reason()).isEqualTo(Reason.NOT_ACCEPTABLE);
    assertThat(error)
        .hasMessage(
            "the body of the request was in an unknown format - accepted media types include:"
                + " application/json-patch+json, application/merge-patch+json,"
                + " application/strategic-merge-patch+json");
  }

  @Test
  void handle_strategicForAResourceWithoutIt_isRefused() {
    ResourceCall call = call(STRATEGIC, "", "{}");
    ResourceDefinition with = call.definition();
    ResourceDefinition without =
        new ResourceRow(
                new GroupVersion(with.gvr().group(), with.gvr().version()),
                with.gvr().resource(),
                with.kind(),
                with.scope(),
                with.verbs())
            .withoutStrategicMerge()
            .definition(
                new ResourceRow.Types() {
                  @Override
                  public StructSchema schema(GroupVersionKind kind) {
                    return with.schema();
                  }

                  @Override
                  public StoredType stored(String keyPrefix, GroupVersionKind kind) {
                    return Objects.requireNonNull(with.storage());
                  }
                });
    PatchVerb verb =
        new PatchVerb(api.registry()::patch, List.of(DocumentPatchFormat.values()), writer);

    ApiException error =
        catchThrowableOfType(
            ApiException.class,
            () -> verb.handle(new ResourceCall(call.exchange(), call.info(), without)));

    assertThat(error.reason()).isEqualTo(Reason.NOT_ACCEPTABLE);
    assertThat(error)
        .hasMessageEndingWith("application/json-patch+json, application/merge-patch+json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        JSON + "      | ``         | error decoding patch: ",
        JSON + "      | {          | error decoding patch: ",
        JSON + "      | {}         | error decoding patch: json: cannot unmarshal object",
        JSON
            + "      | data: {}   | error decoding patch: invalid character 'd' looking for"
            + " beginning of value",
        JSON
            + "      | [{'op':'add','path':'/x','value':1e400}] | error decoding patch: json: cannot"
            + " unmarshal number 1e400 into Go ",
        MERGE
            + "     | {'a':-1e400} | error decoding patch: json: cannot unmarshal number -1e400 into"
            + " Go value of type float64",
        STRATEGIC
            + " | {'a':1e400} | json: cannot unmarshal number 1e400 into Go value of type float64",
        MERGE + "     | ``         | error decoding patch: unexpected end of JSON input",
        MERGE + "     | data: {}   | error decoding patch: ",
        MERGE + "     | []         | error decoding patch: json: cannot unmarshal array",
        MERGE + "     | null       | Invalid JSON Patch",
        STRATEGIC + " | ``         | unexpected end of JSON input",
        STRATEGIC + " | {'data':   | unexpected",
        STRATEGIC + " | data: {}   | invalid character 'd' looking for beginning of value",
        STRATEGIC + " | 'x'        | json: cannot unmarshal string",
      })
  void handle_bodyThatIsNoPatch_isABadRequest(String type, String body, String message) {
    ApiException error = refused(type, "", body);

    assertThat(error.reason()).as(error.text()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(error).hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "dryRun=all         | BAD_REQUEST | dryRun: Unsupported value: \"all\"",
        "fieldValidation=No | INVALID     | PatchOptions.meta.k8s.io \"\" is invalid:"
            + " fieldValidation: Unsupported value: \"No\"",
        "force=true         | INVALID     | PatchOptions.meta.k8s.io \"\" is invalid: force:"
            + " Forbidden: may not be specified for non-apply patch",
        "force=false        | INVALID     | PatchOptions.meta.k8s.io \"\" is invalid: force:"
            + " Forbidden: may not be specified for non-apply patch",
        "fieldManager=a%0Ab | INVALID     | fieldManager: Invalid value: \"a\\nb\": invalid character"
            + " U+000A (at position 1)",
      })
  void handle_parametersThatMakeNoSense_areRefused(String query, Reason reason, String message) {
    ApiException error = refused(MERGE, query, "{'data':{'b':'2'}}");

    assertThat(error.reason()).isEqualTo(reason);
    assertThat(error).hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, MERGE, STRATEGIC})
  void handle_bodyThatIsNoPatch_ofAMissingObject_isNotFound(String type) {
    assertThat(
            api.registry()
                .delete(
                    api.collection("v1", "configmaps", "default"),
                    "c",
                    DeleteQuery.UNCONDITIONAL,
                    WriteOptions.PERSIST)
                .gone())
        .isTrue();

    ApiException error =
        catchThrowableOfType(ApiException.class, () -> patch(type, "", "no patch"));

    assertThat(error.reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(error).hasMessage("configmaps \"c\" not found");
  }

  @ParameterizedTest
  @CsvSource({"- a,array", "text,string", "1,number", "1.5,number", "true,bool"})
  void handle_configurationThatIsNoObject_isABadRequest(String body, String what) {
    PatchVerb verb =
        new PatchVerb(
            api.registry()::patch, List.of(new ApplyFormat(api.registry().fields())), writer);
    ResourceCall call = call("application/apply-patch+yaml", "fieldManager=me", body);

    ApiException error = catchThrowableOfType(ApiException.class, () -> verb.handle(call));

    assertThat(error.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(error)
        .hasMessage(
            "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot"
                + " unmarshal "
                + what
                + " into Go value of type map[string]interface {}");
  }

  @Test
  void handle_longFieldManager_isRefused() {
    String longest = "ä".repeat(64);

    ApiException error = refused(MERGE, "fieldManager=" + longest + "a", "{'data':{'b':'2'}}");

    assertThat(error)
        .hasMessage(
            "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Too long: may not be more than"
                + " 128 bytes");
    assertThat(patch(MERGE, "fieldManager=" + longest, "{}").status()).isEqualTo(200);
  }

  @Test
  void handle_tooManyOperations_isTooLarge() {
    String one = "{'op':'test','path':'/data/a','value':'1'}";
    String body = "[" + (one + ",").repeat(10_000) + one + "]";

    ApiException error = refused(JSON, "", body);

    assertThat(error.reason()).isEqualTo(Reason.REQUEST_ENTITY_TOO_LARGE);
    assertThat(error)
        .hasMessage(
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got"
                + " 10001");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        MERGE + "     | {'data':{'b':'2','b':'3'}} | duplicate field \"data.b\"",
        STRATEGIC + " | {'data':{'b':'2','b':'3'}} | duplicate field \"data.b\"",
        JSON
            + "      | [{'op':'add','op':'add','path':'/data/b','value':'3'}] | json patch"
            + " duplicate field \"[0].op\"",
        JSON
            + "      | [{'op':'add','path':'/data/b','value':'3','x':1}]      | json patch unknown"
            + " field \"[0].x\"",
        STRATEGIC + " | {'data':{'b':'3'},'foo':1} | unknown field \"foo\"",
      })
  void handle_fieldValidation_warnsOrRefuses(String type, String body, String problem) {
    ApiException error = refused(type, "fieldValidation=Strict", body);
    assertThat(error.reason()).isEqualTo(Reason.INVALID);
    assertThat(error).hasMessageEndingWith("strict decoding error: " + problem);

    ApiResponse warned = patch(type, "dryRun=All", body);
    assertThat(warned.status()).isEqualTo(200);
    assertThat(context.warnings()).containsExactly(problem);

    ApiResponse ignored = patch(type, "fieldValidation=Ignore", body);
    assertThat(ignored.status()).isEqualTo(200);
    assertThat(data()).isEqualTo("{'a':'1','b':'3'}");
  }

  @Test
  void handle_numberBeyondItsRange_isRefusedWithoutValidation() {
    ApiException error = refused(STRATEGIC, "fieldValidation=Ignore", "{'data':{'a':1e400}}");

    assertThat(error.reason()).isEqualTo(Reason.INVALID);
    assertThat(error).hasMessageContaining("map[data:map[a:+Inf]]");
  }

  @Test
  void handle_duplicatesInDuplicates_areToldInTheOrderOfTheDocument() {
    ApiResponse warned = patch(MERGE, "dryRun=All", "{'data':{'b':'2'},'data':{'b':'3','b':'4'}}");

    assertThat(warned.status()).isEqualTo(200);
    assertThat(context.warnings())
        .containsExactly("duplicate field \"data\"", "duplicate field \"data.b\"");
  }

  @Test
  void handle_dryRun_answersAndStoresNothing() {
    ApiResponse answer = patch(MERGE, "dryRun=All", "{'data':{'b':'2'}}");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(data()).isEqualTo("{'a':'1'}");
  }

  @Test
  void handle_formatThatCreates_answers201() {
    PatchFormat format =
        new PatchFormat() {
          @Override
          public String mediaType() {
            return "application/apply-patch+yaml";
          }

          @Override
          public boolean fits(ResourceDefinition definition) {
            return true;
          }

          @Override
          public ObjectPatch read(ResourceCall call) {
            return new ObjectPatch() {
              @Override
              public ApiObject apply(ApiObject current) {
                return current;
              }

              @Override
              public Optional<ApiObject> whenMissing() {
                return Optional.of(api.object("v1", "configmaps", "{'metadata':{'name':'c'}}"));
              }
            };
          }
        };
    PatchVerb verb = new PatchVerb(api.registry()::patch, List.of(format), writer);
    assertThat(verb.handle(call(format.mediaType(), "", "")).status()).isEqualTo(200);
    assertThat(
            api.registry()
                .delete(
                    api.collection("v1", "configmaps", "default"),
                    "c",
                    DeleteQuery.UNCONDITIONAL,
                    WriteOptions.PERSIST)
                .gone())
        .isTrue();

    ApiResponse answer = verb.handle(call(format.mediaType(), "", ""));

    assertThat(answer.status()).isEqualTo(201);
  }
}
