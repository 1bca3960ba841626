package dev.keelson.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageFormatTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*/*",
        "text/plain",
        "text/*;q=0.5",
        "text/plain; charset=UTF-8",
        "text/plain; version=0.0.4",
        "text/html,text/plain",
        "application/json;v=foo;g=config.k8s.io;as=Statusz,*/*"
      })
  void accepted_text(String accept) {
    assertThat(PageFormat.accepted(accept, "Statusz")).hasValue(new PageFormat("text/plain", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json;v=v1alpha1;g=config.k8s.io;as=Statusz|v1alpha1",
        "application/json; as=Statusz; g=config.k8s.io; v=v1beta1|v1beta1",
        "application/json,application/json;v=v1beta1;g=config.k8s.io;as=Statusz|v1beta1",
        "application/json;v=foo;g=config.k8s.io;as=Statusz,application/json;v=v1beta1;g=config.k8s.io;as=Statusz|v1beta1"
      })
  void accepted_versionInFull(String accept, String version) {
    assertThat(PageFormat.accepted(accept, "Statusz"))
        .hasValue(new PageFormat("application/json", version));
  }

  @Test
  void accepted_yamlInFull() {
    assertThat(PageFormat.accepted("application/yaml;v=v1beta1;g=config.k8s.io;as=Flagz", "Flagz"))
        .hasValue(new PageFormat("application/yaml", "v1beta1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json;v=v1beta1;g=config.k8s.io",
        "application/json;v=v1;g=config.k8s.io;as=Statusz",
        "application/json;v=v1beta1;g=config.k8s.io;as=Flagz",
        "application/yaml",
        "text/plain;charset=latin1",
        "text/plain;v=v1beta1;g=config.k8s.io;as=Statusz"
      })
  void accepted_nothingElse(String accept) {
    assertThat(PageFormat.accepted(accept, "Statusz")).isEmpty();
  }
}
