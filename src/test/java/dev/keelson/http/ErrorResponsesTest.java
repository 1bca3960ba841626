package dev.keelson.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger.Level;
import org.junit.jupiter.api.Test;

class ErrorResponsesTest {

  private static final ApiRequest REQUEST =
      new ApiRequest("GET", "/x", Query.NONE, Map.of(), new byte[0], List.of(), "127.0.0.1");

  private final ErrorResponses errors =
      new ErrorResponses(
          (request, code, status) ->
              ApiResponse.of(code, "application/json", ObjectWriter.json(status)));

  @Test
  void notFound_hasTheObjectInItsDetails() {
    ApiResponse answer =
        errors.answer(
            REQUEST, ApiException.notFound(new GroupResource("apps", "deployments"), "web"));

    assertThat(answer.status()).isEqualTo(404);
    assertThat(text(answer))
        .isEqualTo(
            "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure',"
                + "'message':'deployments.apps \\'web\\' not found','reason':'NotFound',"
                + "'details':{'name':'web','group':'apps','kind':'deployments'},'code':404}");
  }

  @Test
  void forbiddenPath_hasEmptyDetails() {
    ApiResponse answer =
        errors.answer(
            REQUEST, ApiException.forbidden(new GroupResource("", ""), "", "no right to get it"));

    assertThat(text(answer))
        .isEqualTo(
            "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure',"
                + "'message':'forbidden: no right to get it','reason':'Forbidden',"
                + "'details':{},'code':403}");
  }

  @Test
  void invalid_tellsEveryCause() {
    ApiException error =
        ApiException.invalid(
            new GroupVersionKind("", "v1", "Pod"),
            "p",
            List.of(
                new FieldCause("FieldValueRequired", "Required value", "spec.containers"),
                FieldCause.invalid("spec.x", "y", "must be z")));

    ApiResponse answer = errors.answer(REQUEST, error);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(text(answer))
        .contains("'details':{'name':'p','kind':'Pod','causes':[")
        .contains(
            "{'reason':'FieldValueRequired','message':'Required value','field':'spec.containers'}")
        .contains("'field':'spec.x'");
  }

  @Test
  void retryAfter_isAHeaderToo() {
    ApiException error =
        new ApiException(
            Reason.TOO_MANY_REQUESTS, "later", ErrorDetails.NONE.withRetryAfterSeconds(3), null);

    ApiResponse answer = errors.answer(REQUEST, error);

    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.header("Retry-After")).isEqualTo("3");
    assertThat(text(answer)).contains("'retryAfterSeconds':3");
  }

  @Test
  void defect_saysNothingOfWhatIsInside() {
    ApiResponse answer = errors.answer(REQUEST, new IllegalStateException("secret inner detail"));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(text(answer)).contains("'reason':'InternalError'").doesNotContain("secret");
  }

  @Test
  void store_thatCannotBeReached_isUnavailable() {
    ApiResponse answer =
        errors.answer(REQUEST, new StorageException.Unavailable("no connection", null));

    assertThat(answer.status()).isEqualTo(503);
    assertThat(text(answer)).contains("'reason':'ServiceUnavailable'");
  }

  @Test
  void revisionThatAClientMayNotRead_isNoWarning() {
    assertThat(ErrorResponses.level(new StorageException.Compacted(7))).isEqualTo(Level.DEBUG);
    assertThat(ErrorResponses.level(new StorageException.Unavailable("no connection", null)))
        .isEqualTo(Level.WARN);
  }

  @Test
  void success_namesWhatIsGone() {
    MapNode status =
        StatusBody.success(new ErrorDetails("apps", "deployments", "web", "u-1", List.of(), 0));

    assertThat(new String(ObjectWriter.json(status), StandardCharsets.UTF_8).replace('"', '\''))
        .isEqualTo(
            "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Success',"
                + "'details':{'name':'web','group':'apps','kind':'deployments','uid':'u-1'},"
                + "'code':200}");
  }

  private static String text(ApiResponse answer) {
    return new String(answer.payload().toByteArray(), StandardCharsets.UTF_8).replace('"', '\'');
  }
}
