package dev.keelson.registry.apiregistration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.registry.RegistryTest;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiServiceStrategyTest extends RegistryTest {

  private static final String VERSION = "apiregistration.k8s.io/v1";

  ApiServiceStrategyTest(@TempDir Path directory) {
    super(directory);
  }

  private ApiObject create(String more) {
    return api.create(
        VERSION,
        "apiservices",
        "",
        "{'metadata':{'name':'v1.example.com'},'spec':{'group':'example.com','version':'v1',"
            + "'groupPriorityMinimum':1,'versionPriority':1"
            + more);
  }

  @Test
  void create_withoutService_isAvailableAtOnce() {
    ApiObject local = create("},'status':{'conditions':[{'type':'Sent','status':'True'}]}}");

    assertThat(LocalApi.json(local.root().map("status")).replace('"', '\''))
        .isEqualTo(
            "{'conditions':[{'type':'Available','status':'True','lastTransitionTime':'"
                + local.meta().creationTimestamp()
                + "','reason':'Local','message':'Local APIServices are always available'}]}");
  }

  @Test
  void create_withService_dropsTheStatusAndDefaultsThePort() {
    ApiObject remote =
        create(
            ",'service':{'namespace':'n','name':'s'}},"
                + "'status':{'conditions':[{'type':'Available','status':'True'}]}}");

    assertThat(remote.root().map("status").isEmpty()).isTrue();
    assertThat(remote.root().map("spec").map("service").get("port")).isEqualTo(new Node.Int(443));
  }
}
