package dev.keelson.http.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.openapi.Documents;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.OpenApiDocuments;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class OpenApiTest {

  private static final String APPS = "/openapi/v3/apis/apps/v1";

  private final OpenApiDocuments documents = Documents.of(new ResourceCatalog(Documents.builtIn()));
  private final OpenApi openApi =
      new OpenApi(documents, InstantSource.fixed(Instant.parse("2026-11-01T02:03:04.5Z")));

  @ParameterizedTest
  @CsvSource({
    "/openapi/v2, '', application/json",
    "/openapi/v2/, */*, application/json",
    "/openapi/v2, application/com.github.proto-openapi.spec.v2@v1.0+protobuf,"
        + " application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    "/openapi/v2, application/com.github.proto-openapi.spec.v2.v1.0+protobuf,"
        + " application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    "/openapi/v2, 'application/json;q=0.5,"
        + "application/com.github.proto-openapi.spec.v2@v1.0+protobuf',"
        + " application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    "/openapi/v3/version, application/com.github.proto-openapi.spec.v3@v1.0+protobuf,"
        + " application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
    "/openapi/v3/version, 'text/html,application/*', application/json"
  })
  void document_byAcceptHeader_isWhatTheClientLikesBest(
      String path, String accept, String contentType) {
    ApiResponse answer = ask(path, "", accept, "");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).isEqualTo(contentType);
    assertThat(answer.header("Vary")).isEqualTo("Accept");
    assertThat(answer.header("ETag")).matches("\"[0-9A-F]{128}\"");
    byte first = DiscoveryTest.body(answer)[0];
    assertThat(first == '{').isEqualTo(contentType.equals("application/json"));
  }

  @ParameterizedTest
  @CsvSource({
    "/openapi/v2, text/html",
    "/openapi/v2, application/com.github.proto-openapi.spec.v3@v1.0+protobuf",
    "/openapi/v3/apis/apps/v1, application/json;q=0"
  })
  void document_inAFormThatIsNotServed_isNotAcceptable(String path, String accept) {
    assertThatThrownBy(() -> openApi.answer(path, "", accept, ""))
        .isInstanceOfSatisfying(
            ApiException.class,
            error -> assertThat(error.reason()).isEqualTo(Reason.NOT_ACCEPTABLE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/openapi",
        "/openapi/v1",
        "/openapi/v2/apis",
        "/openapi/v3/apis/nothing/v1",
        "/openapi/v3x",
        "",
        "/"
      })
  void answer_forOtherPaths_isEmpty(String path) {
    assertThat(openApi.answer(path, "", "", "")).isEmpty();
  }

  @Test
  void index_asked_isJsonWithATag() {
    ApiResponse index = ask("/openapi/v3", "", "application/json, */*", "");

    assertThat(index.header("Content-Type")).isEqualTo("application/json");
    assertThat(DiscoveryTest.body(index)).isEqualTo(documents.v3Index().body());
    assertThat(ask("/openapi/v3", "", "", index.header("ETag")).status()).isEqualTo(304);
  }

  @Test
  void document_withTheRightHash_mayBeKeptForEver() {
    String hash = documents.v3("apis/apps/v1", Format.JSON).orElseThrow().hash();

    ApiResponse answer = ask(APPS, hash, "application/json", "");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Cache-Control")).isEqualTo("public, immutable");
    assertThat(answer.header("Expires")).isEqualTo("Mon, 01 Nov 2027 02:03:04 GMT");
    assertThat(answer.header("ETag")).isEqualTo('"' + hash + '"');
  }

  @Test
  void document_withoutHash_isNotToldToBeKept() {
    assertThat(ask(APPS, "", "", "").header("Cache-Control")).isEmpty();
  }

  @Test
  void document_withAnotherHash_isFoundElsewhere() {
    String hash = documents.v3("apis/apps/v1", Format.JSON).orElseThrow().hash();

    ApiResponse answer = ask(APPS, "0123", "application/json", "");

    assertThat(answer.status()).isEqualTo(301);
    assertThat(answer.header("Location")).isEqualTo(APPS + "?hash=" + hash);
    assertThat(DiscoveryTest.body(answer)).isEmpty();
  }

  @Test
  void document_askedWithItsTag_isNotModified() {
    String tag = ask("/openapi/v2", "", "", "").header("ETag");

    ApiResponse again = ask("/openapi/v2", "", "", tag);

    assertThat(again.status()).isEqualTo(304);
    assertThat(DiscoveryTest.body(again)).isEmpty();
    assertThat(again.header("ETag")).isEqualTo(tag);
  }

  private ApiResponse ask(String path, String hash, String accept, String ifNoneMatch) {
    return openApi.answer(path, hash, accept, ifNoneMatch).orElseThrow();
  }
}
