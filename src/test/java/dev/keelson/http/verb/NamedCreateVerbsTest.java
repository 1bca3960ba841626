package dev.keelson.http.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.media.MetaSchemas;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class NamedCreateVerbsTest {

  /** What admission sees of evictions. */
  private final List<String> admitted = new CopyOnWriteArrayList<>();

  private final LocalApi api;
  private final NamedCreateVerbs verbs;

  NamedCreateVerbsTest(@TempDir Path directory) {
    api =
        LocalApi.open(
            directory,
            new Admission() {
              @Override
              public void validate(AdmissionAttributes call) {
                if (call.subresource().equals("eviction")) {
                  admitted.add(call.operation() + " " + (call.dryRun() ? "dry" : "wet"));
                }
              }
            });
    verbs =
        new NamedCreateVerbs(
            Subresources.of(api.registry(), api.codec(), api.catalog(), api.clock()),
            api.catalog(),
            new BodyReader(api.catalog()),
            new BodyWriter(
                api.registry(),
                api.codec(),
                MetaSchemas.of(ProtoSchemas.fromClassPath()::struct),
                api.clock()));
  }

  @AfterEach
  void close() {
    api.close();
  }

  private ResourceCall eviction(String query, String deleteOptions) {
    String path = "/api/v1/namespaces/default/pods/p/eviction";
    String body =
        "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p'},'deleteOptions':"
            + deleteOptions
            + "}";
    ApiRequest request =
        new ApiRequest(
            "POST",
            path,
            Query.parse(query),
            Map.of("content-type", List.of("application/json")),
            body.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
            List.of(),
            "127.0.0.1");
    RequestInfo info = RequestInfoResolver.parse("POST", path, request.query().firsts());
    return new ResourceCall(
        new Exchange(
            request,
            info,
            new RequestContext(new UserInfo("user", "", List.of(), Map.of()), "audit")),
        (RequestInfo.Resource) info,
        api.definition("v1", "pods"));
  }

  @Test
  void eviction_ofAPodThatCannotBeRead_isRefused() {
    assertThat(api.create("v1", "pods", "default", "{'metadata':{'name':'p'}}")).isNotNull();

    ApiException refusal =
        catchThrowableOfType(
            ApiException.class,
            () ->
                verbs.evict(
                    eviction("", "{'ignoreStoreReadErrorWithClusterBreakingPotential':true}")));

    assertThat(refusal)
        .hasMessage(
            "Eviction.policy \"p\" is invalid:"
                + " deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value:"
                + " true: can not be set for pod eviction, try after removing the option");
    assertThat(admitted).isEmpty();
  }

  /** As in Kubernetes, a dry run that the body alone asks for is none for admission. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|{}|wet|false",
        "dryRun=All|{}|dry|true",
        "|{'dryRun':['All']}|wet|true",
        "dryRun=All|{'dryRun':['All']}|dry|true",
      })
  void eviction_isADryRun_byItsQueryOrItsOptions(
      @Nullable String query, String deleteOptions, String seen, boolean stays) {
    assertThat(api.create("v1", "pods", "default", "{'metadata':{'name':'p'}}")).isNotNull();

    assertThat(verbs.evict(eviction(query == null ? "" : query, deleteOptions)).status())
        .isEqualTo(201);

    assertThat(admitted).containsExactly("CREATE " + seen);
    ApiException gone =
        catchThrowableOfType(
            ApiException.class,
            () -> assertThat(api.get("v1", "pods", "default", "p")).isNotNull());
    assertThat(gone == null).isEqualTo(stays);
  }
}
