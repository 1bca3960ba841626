package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServerClassesTest {

  private final ServerClasses classes = ServerLoader.get();

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

  @Test
  void startInAFreshJvm_opensNoJars_andPrintsNoWarningsOfLibraries() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                StartProbe.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(output).contains("jars=false port=https://").doesNotContain("SLF4J");
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void absentClass_isNotFoundWithoutTheJars() throws Exception {
    PackedFiles files =
        PackedFiles.open(Path.of(getClass().getResource("/META-INF/keelson/start.bin").toURI()));
    ServerClasses fresh =
        new ServerClasses(
            files,
            () -> {
              throw new IllegalStateException("the jars are opened");
            });

    assertThatThrownBy(() -> fresh.loadClass("org.apache.logging.log4j.Logger"))
        .isInstanceOf(ClassNotFoundException.class);
    assertThatThrownBy(() -> fresh.loadClass("dev.keelson.server.Main"))
        .hasMessage("the jars are opened");
  }
}
