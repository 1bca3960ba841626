package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServerClassesTest {

  private final ClassLoader classes = ServerLoader.get();

  @Test
  void classOfAStart_andClassOfTheJars_haveOneLoader() throws Exception {
    Class<?> early = classes.loadClass("dev.keelson.server.EmbeddedServer");
    // an entry point of the product, which a test does not start
    Class<?> late = classes.loadClass("dev.keelson.server.Main");

    assertThat(classes.getResource("dev/keelson/server/EmbeddedServer.class").getProtocol())
        .isEqualTo("keelson");
    assertThat(classes.getResource("dev/keelson/server/Main.class").getProtocol()).isEqualTo("jar");
    assertThat(early.getClassLoader()).isSameAs(classes);
    assertThat(late.getClassLoader()).isSameAs(classes);
    assertThat(late.getPackage()).isSameAs(early.getPackage());
  }

  @Test
  void packageOfASignedJar_isLoadedFromBothPlaces() throws Exception {
    Class<?> early = classes.loadClass("org.bouncycastle.asn1.ASN1Integer");
    Class<?> late = classes.loadClass("org.bouncycastle.asn1.ASN1ExternalParser");

    assertThat(classes.getResource("org/bouncycastle/asn1/ASN1Integer.class").getProtocol())
        .isEqualTo("keelson");
    assertThat(early.getSigners()).isNull();
    assertThat(late.getSigners()).isNull();
  }

  @Test
  void resourcesOfOneName_areAllFound_andReadWhole() throws Exception {
    String name = "META-INF/io.netty.versions.properties";
    List<URL> found = Collections.list(classes.getResources(name));
    Set<String> texts = new HashSet<>();
    for (URL each : found) {
      try (InputStream stream = each.openStream()) {
        String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text).hasSize(each.openConnection().getContentLength());
        texts.add(text);
      }
    }

    assertThat(found.size()).isGreaterThan(5);
    assertThat(texts).hasSameSizeAs(found).allMatch(text -> text.contains(".version="));
    assertThat(classes.getResource(name)).isEqualTo(found.getFirst());
  }

  @Test
  void whatIsOfTheTestOrNowhere_isNotFound() throws Exception {
    assertThat(classes.getResource("crds/widgets.yaml")).isNull();
    assertThat(Collections.list(classes.getResources("META-INF/services/no.such.Service")))
        .isEmpty();
    assertThatThrownBy(() -> classes.loadClass(getClass().getName()))
        .isInstanceOf(ClassNotFoundException.class);
  }
}
