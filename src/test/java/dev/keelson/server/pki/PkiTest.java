package dev.keelson.server.pki;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PkiTest {

  private static final Instant NOW = Instant.parse("2026-05-01T00:00:00Z");
  private static final SubjectNames NAMES =
      SubjectNames.of(List.of("localhost", "127.0.0.1", "::1", "Host.Example"));

  @TempDir Path directory;

  @Test
  void open_inAnEmptyDirectory_makesEverything() throws Exception {
    Pki pki = open(NOW);

    X509Certificate authority = pki.authority();
    assertThat(authority.getBasicConstraints()).isGreaterThanOrEqualTo(0);
    assertThat(authority.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(3650)));
    X509Certificate serving = pki.serving().orElseThrow().certificate();
    serving.verify(authority.getPublicKey());
    assertThat(serving.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(SubjectNames.in(serving).sorted())
        .containsExactly("0:0:0:0:0:0:0:1", "127.0.0.1", "host.example", "localhost");
    X509Certificate admin = pki.admin().certificate();
    admin.verify(authority.getPublicKey());
    assertThat(admin.getSubjectX500Principal().getName())
        .isEqualTo("CN=kubernetes-admin,O=system:masters");
    assertThat(admin.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
  }

  @Test
  void files_areForTheOwnerOnly() throws IOException {
    open(NOW);

    try (Stream<Path> files = Files.list(directory)) {
      List<Path> all =
          files.filter(file -> !file.getFileName().toString().equals(".lock")).toList();
      assertThat(all)
          .extracting(file -> file.getFileName().toString())
          .containsExactlyInAnyOrder(
              "ca.crt", "ca.key", "admin.crt", "admin.key", "apiserver.crt", "apiserver.key");
      for (Path file : all) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void open_again_remembersWhatWasChecked() throws Exception {
    open(NOW);
    open(NOW);
    Path checked = directory.resolve("checked");
    String remembered = Files.readString(checked);

    open(NOW);

    assertThat(remembered.lines()).hasSize(3).doesNotHaveDuplicates();
    assertThat(Files.readString(checked)).isEqualTo(remembered);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(checked)))
        .isEqualTo("rw-------");
  }

  @Test
  void open_afterTheKeyOfACheckedPairChanged_makesANewPair() throws Exception {
    open(NOW);
    open(NOW);
    Files.copy(
        directory.resolve("apiserver.key"),
        directory.resolve("admin.key"),
        StandardCopyOption.REPLACE_EXISTING);

    Pki pki = open(NOW);

    assertThat(pki.admin().matches()).isTrue();
    pki.admin().certificate().verify(pki.authority().getPublicKey());
  }

  @Test
  void open_afterTheAuthorityOfCheckedPairsChanged_makesNewPairs() throws Exception {
    open(NOW);
    X509Certificate before = open(NOW).serving().orElseThrow().certificate();
    Files.delete(directory.resolve("ca.key"));
    Files.delete(directory.resolve("ca.crt"));

    Pki pki = open(NOW);

    X509Certificate serving = pki.serving().orElseThrow().certificate();
    serving.verify(pki.authority().getPublicKey());
    assertThat(serving).isNotEqualTo(before);
  }

  @Test
  void open_withChecksThatCannotBeReadOrWritten_checksEachTime() throws Exception {
    Pki first = open(NOW);
    Files.createDirectory(directory.resolve("checked"));

    Pki second = open(NOW);

    assertThat(second.admin().certificate()).isEqualTo(first.admin().certificate());
  }

  @Test
  void open_again_usesWhatIsThere() {
    Pki first = open(NOW);
    Pki second = open(NOW.plus(Duration.ofDays(300)));

    assertThat(second.authority()).isEqualTo(first.authority());
    assertThat(second.admin()).isEqualTo(first.admin());
    assertThat(second.serving()).isEqualTo(first.serving());
  }

  @Test
  void open_nearTheEnd_renewsWhatIsSigned() {
    Pki first = open(NOW);
    Instant later = NOW.plus(Duration.ofDays(340));
    Pki second = open(later);

    assertThat(second.authority()).isEqualTo(first.authority());
    assertThat(second.serving()).isNotEqualTo(first.serving());
    assertThat(second.admin().certificate().getNotAfter().toInstant())
        .isEqualTo(later.plus(Duration.ofDays(365)));
  }

  @Test
  void open_withANewName_renewsTheServingCertificateOnly() {
    Pki first = open(NOW);
    Pki second = Pki.open(directory, Optional.of(SubjectNames.of(List.of("other.example"))), NOW);

    assertThat(second.admin()).isEqualTo(first.admin());
    assertThat(SubjectNames.in(second.serving().orElseThrow().certificate()).dns())
        .containsExactly("other.example");
  }

  @Test
  void open_withFewerNames_keepsTheServingCertificate() {
    Pki first = open(NOW);
    Pki second = Pki.open(directory, Optional.of(SubjectNames.of(List.of("localhost"))), NOW);

    assertThat(second.serving()).isEqualTo(first.serving());
  }

  @Test
  void open_withoutNames_makesNoServingCertificate() {
    Pki pki = Pki.open(directory, Optional.empty(), NOW);

    assertThat(pki.serving()).isEmpty();
    assertThat(directory.resolve("apiserver.crt")).doesNotExist();
  }

  @Test
  void keyThatBelongsToAnotherCertificate_isReplacedWithIt() throws IOException {
    Pki first = open(NOW);
    Files.copy(
        directory.resolve("admin.key"),
        directory.resolve("apiserver.key"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    assertThat(open(NOW).serving()).isPresent().isNotEqualTo(first.serving());
  }

  @Test
  void authorityMadeAnew_signsAnew() throws Exception {
    open(NOW);
    Files.delete(directory.resolve("ca.crt"));
    Files.delete(directory.resolve("ca.key"));

    Pki second = open(NOW);

    second.admin().certificate().verify(second.authority().getPublicKey());
    second.serving().orElseThrow().certificate().verify(second.authority().getPublicKey());
  }

  @Test
  void halfAnAuthority_isRefused() throws IOException {
    open(NOW);
    Files.delete(directory.resolve("ca.key"));

    assertThatThrownBy(() -> open(NOW))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("ca.key is missing beside " + directory.resolve("ca.crt"));
  }

  @Test
  void authorityThatExpired_isRefused() {
    open(NOW);

    assertThatThrownBy(() -> open(NOW.plus(Duration.ofDays(3651))))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("ca.crt has expired");
  }

  @Test
  void authorityWithAnotherKey_isRefused() throws IOException {
    open(NOW);
    Files.copy(
        directory.resolve("admin.key"),
        directory.resolve("ca.key"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    assertThatThrownBy(() -> open(NOW))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("is not the key of");
  }

  @Test
  void authorityThatIsNone_isRefused() throws IOException {
    open(NOW);
    for (String ending : List.of(".crt", ".key")) {
      Files.copy(
          directory.resolve("admin" + ending),
          directory.resolve("ca" + ending),
          java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    assertThatThrownBy(() -> open(NOW))
        .isInstanceOf(PkiException.class)
        .hasMessageEndingWith("ca.crt is not the certificate of an authority");
  }

  @Test
  void certificateOfOthers_isNotOverwritten() throws IOException {
    open(NOW);
    Issuer issuer = new Issuer(NOW);
    Identity foreign = issuer.server(issuer.authority("another"), "x", NAMES);
    Files.writeString(directory.resolve("apiserver.crt"), PemCertificates.text(foreign.chain()));
    Files.writeString(directory.resolve("apiserver.key"), PemPrivateKeys.text(foreign.key()));

    assertThatThrownBy(() -> open(NOW))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("apiserver.crt was issued by \"CN=another\"")
        .hasMessageContaining("--tls-cert-file");
  }

  @Test
  void rubbish_isRefusedByName() throws IOException {
    open(NOW);
    Files.writeString(directory.resolve("ca.crt"), "rubbish");

    assertThatThrownBy(() -> open(NOW))
        .isInstanceOf(PkiException.class)
        .hasMessage(directory.resolve("ca.crt") + " holds no certificate in PEM");
  }

  @Test
  void directoryThatIsAFile_isRefused() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> Pki.open(file, Optional.empty(), NOW))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("cannot use the directory " + file);
  }

  @Test
  void manyAtOnce_agree() throws Exception {
    List<Pki> opened = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Callable<Pki>> tasks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        tasks.add(() -> open(NOW));
      }
      for (Future<Pki> future : threads.invokeAll(tasks)) {
        opened.add(future.get());
      }
    }

    assertThat(opened).extracting(Pki::authority).containsOnly(opened.getFirst().authority());
    assertThat(opened).extracting(Pki::admin).containsOnly(opened.getFirst().admin());
  }

  @Test
  void kubeconfig_embedsEverything() throws IOException {
    Pki pki = open(NOW);
    Path file = directory.resolve("admin.kubeconfig");

    write(file, pki, "::1");

    String text = Files.readString(file);
    assertThat(text)
        .contains("    server: https://[0:0:0:0:0:0:0:1]:6443\n")
        .doesNotContain("tls-server-name")
        .contains(data("certificate-authority", Files.readString(directory.resolve("ca.crt"))))
        .contains(data("client-certificate", Files.readString(directory.resolve("admin.crt"))));
    // the same key in the form that names its algorithm
    assertThat(((ECPrivateKey) dev.keelson.testing.Kubeconfig.read(file).key()).getS())
        .isEqualTo(((ECPrivateKey) PemPrivateKeys.read(directory.resolve("admin.key"))).getS());
    String label = Base64.getEncoder().encodeToString("-----BEGIN EC PRIVATE ".getBytes(US_ASCII));
    assertThat(text).contains("    client-key-data: " + label.substring(0, 28));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void kubeconfig_namesTheHost_whenTheCertificateLacksTheAddress() throws IOException {
    Pki pki = open(NOW);
    Path file = directory.resolve("admin.kubeconfig");

    write(file, pki, "10.1.2.3");

    assertThat(Files.readString(file)).contains("    tls-server-name: host.example\n");
  }

  @Test
  void subjectNames_knowNamesAndAddresses() {
    SubjectNames names = SubjectNames.of(Set.of("A.example", "10.0.0.1"));

    assertThat(names.dns()).containsExactly("a.example");
    assertThat(names.addresses()).containsExactly("10.0.0.1");
    assertThat(names.contains("a.EXAMPLE")).isTrue();
    assertThat(names.contains("10.0.0.2")).isFalse();
  }

  private Pki open(Instant now) {
    return Pki.open(directory, Optional.of(NAMES), now);
  }

  private static void write(Path file, Pki pki, String address) {
    Kubeconfig.write(
        file,
        InetAddress.ofLiteral(address),
        6443,
        pki.authority(),
        pki.serving().orElseThrow().certificate(),
        pki.admin());
  }

  private static String data(String key, String text) {
    return key
        + "-data: "
        + Base64.getEncoder().encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))
        + "\n";
  }
}
