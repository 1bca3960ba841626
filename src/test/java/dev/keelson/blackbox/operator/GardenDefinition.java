package dev.keelson.blackbox.operator;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The definition of {@link Garden}, by fabric8's generator from its class. */
public final class GardenDefinition {

  private GardenDefinition() {}

  /**
   * Applies the definition and waits until it is established.
   *
   * @param directory takes the generated file
   */
  public static CustomResourceDefinition install(KubernetesClient client, Path directory)
      throws IOException {
    File output = directory.toFile();
    int generated =
        new CRDGenerator()
            .inOutputDir(output)
            .customResourceClasses(Garden.class)
            .forCRDVersions("v1")
            .generate();
    if (generated != 1) {
      throw new IllegalStateException("generated " + generated + " definitions");
    }
    Path file = directory.resolve(CRDGenerator.getOutputName(Garden.DEFINITION, "v1") + ".yml");
    try (InputStream yaml = Files.newInputStream(file)) {
      CustomResourceDefinition definition =
          client.apiextensions().v1().customResourceDefinitions().load(yaml).item();
      client.resource(definition).forceConflicts().serverSideApply();
    }
    return client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(Garden.DEFINITION)
        .waitUntilCondition(
            found -> found != null && found.getStatus() != null && isEstablished(found.getStatus()),
            60,
            TimeUnit.SECONDS);
  }

  private static boolean isEstablished(CustomResourceDefinitionStatus status) {
    // null until a controller has seen the definition
    return status.getConditions() != null
        && status.getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
  }
}
