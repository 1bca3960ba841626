package dev.keelson.http.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.object.ApiObject;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.Subresource;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ConnectOptionsTest {

  private static final String PODS = "/api/v1/namespaces/default/pods/p/";

  private final LocalApi api;

  ConnectOptionsTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private ApiObject options(String path, String query) {
    Query parsed = Query.parse(query);
    ApiRequest request =
        new ApiRequest("GET", path, parsed, Map.of(), new byte[0], List.of(), "127.0.0.1");
    RequestInfo.Resource info =
        (RequestInfo.Resource) RequestInfoResolver.parse("GET", path, parsed.firsts());
    ResourceDefinition definition = api.definition("v1", "pods");
    Subresource subresource =
        Objects.requireNonNull(definition.subresources().get(info.subresource()));
    UserInfo user = new UserInfo("u", "", List.of(), Map.of());
    ResourceCall call =
        new ResourceCall(
            new Exchange(request, info, new RequestContext(user, "a")), info, definition);
    return ConnectOptions.of(call, subresource);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exec|command=ls&command=-l&stdin=true&tty=0&container=c|{'kind':'PodExecOptions',"
            + "'apiVersion':'v1','stdin':true,'tty':false,'container':'c','command':['ls','-l']}",
        "attach|stdout=1|{'kind':'PodAttachOptions','apiVersion':'v1','stdout':true}",
        "portforward|ports=80&ports=81|{'kind':'PodPortForwardOptions','apiVersion':'v1',"
            + "'ports':[80,81]}",
        "proxy/a/b||{'kind':'PodProxyOptions','apiVersion':'v1','path':'/a/b'}",
        "proxy||{'kind':'PodProxyOptions','apiVersion':'v1'}",
      })
  void options_areThoseOfTheQueryAndThePath(String path, String query, String expected) {
    assertThat(options(PODS + path, query == null ? "" : query).root())
        .isEqualTo(
            ObjectReader.untypedJson(expected.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void ports_areNumbers() {
    assertThatThrownBy(() -> options(PODS + "portforward", "ports=x"))
        .isInstanceOf(ApiException.class)
        .hasMessage("ports: strconv.ParseInt: parsing \"x\": invalid syntax");
  }
}
