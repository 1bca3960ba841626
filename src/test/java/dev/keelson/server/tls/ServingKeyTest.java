package dev.keelson.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.TlsOptions;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.pki.Identity;
import dev.keelson.server.pki.Pki;
import dev.keelson.server.pki.SubjectNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources: {@code TestServerRunWithSNI} and {@code TestBuiltNamedCertificates} of apiserver. */
class ServingKeyTest {

  @TempDir private Path directory;

  private final FileReloader files = new FileReloader();
  private Pki pki;
  private Identity own;

  @BeforeEach
  void open() {
    pki = Pki.open(directory, Optional.empty(), Instant.now());
    own = identity("keelson", "own.example");
  }

  @AfterEach
  void close() {
    files.close();
  }

  private Identity identity(String commonName, String... names) {
    return pki.server(commonName, SubjectNames.of(List.of(names)), Instant.now());
  }

  /** Writes an identity, to be served for {@code patterns} or its own names. */
  private TlsOptions.Named named(String file, Identity identity, String... patterns) {
    return new TlsOptions.Named(write(file, identity), List.of(patterns));
  }

  private KeyPairFiles write(String file, Identity identity) {
    try {
      return new KeyPairFiles(
          Files.writeString(
              directory.resolve(file + ".crt"), PemCertificates.text(identity.chain())),
          Files.writeString(directory.resolve(file + ".key"), PemPrivateKeys.text(identity.key())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServingKey key(TlsOptions.Named... more) {
    return ServingKey.of(null, List.of(more), own, files);
  }

  private static void assertServed(ServingKey key, Identity expected, String... hosts) {
    assertThat(Stream.of(hosts).map(host -> key.identity(host).certificate()))
        .allMatch(expected.certificate()::equals);
  }

  @Test
  void hosts_getTheCertificateWithTheirName() {
    Identity plain = identity("x y", "a.example", "*.b.example");
    ServingKey key = key(named("one", plain));

    assertServed(key, plain, "a.example", "x.b.example");
    assertServed(key, own, "own.example", "other.example", "b.example", "y.x.b.example", "x y");
  }

  @Test
  void commonName_countsIfItIsADomain() {
    Identity domain = identity("cn.example", "a.example");
    Identity wildcard = identity("*.w.example", "b.example");
    Identity address = identity("10.0.0.1", "c.example");
    ServingKey key = key(named("one", domain), named("two", wildcard), named("three", address));

    assertServed(key, domain, "cn.example", "a.example");
    assertServed(key, wildcard, "x.w.example", "b.example");
    assertServed(key, address, "c.example");
    assertServed(key, own, "10.0.0.1");
  }

  @Test
  void ofSeveralWithOneName_theFirstCounts_andThoseOfTheFlagBeforeThoseOfCertificates() {
    Identity first = identity("one", "a.example", "b.example");
    Identity second = identity("two", "a.example", "c.example");
    Identity explicit = identity("three", "c.example");
    Identity later = identity("four", "e.example");
    ServingKey key =
        key(
            named("one", first),
            named("two", second),
            named("three", explicit, "b.example", "*.d.example"),
            named("four", later, "b.example"));

    assertServed(key, first, "a.example");
    assertServed(key, second, "c.example");
    assertServed(key, explicit, "b.example", "x.d.example");
  }

  /** Go looks for a certificate that is valid, whatever names it was given. */
  @Test
  void hostWithoutACertificateOfItsName_getsOneThatIsValidForIt() {
    Identity explicit = identity("one", "valid.example", "own.example");
    ServingKey key = key(named("one", explicit, "named.example"));

    assertServed(key, explicit, "named.example", "valid.example");
    assertServed(key, own, "own.example", "other.example");
  }

  @Test
  void single_wildcard_isForNamesOfOneLabel() {
    Identity all = identity("one", "a.example");
    ServingKey key = key(named("one", all, "*"));

    assertServed(key, all, "localhost");
    assertServed(key, own, "other.example");
  }

  @Test
  void names_areThoseOfTheCertificateThatIsThereNow() {
    Identity before = identity("one", "before.example");
    Identity after = identity("one", "after.example");
    ServingKey key = key(named("one", before));
    assertServed(key, before, "before.example");
    assertServed(key, own, "after.example");

    KeyPairFiles unused = write("one", after);
    files.look();

    assertServed(key, after, "after.example");
    assertServed(key, own, "before.example");
  }
}
