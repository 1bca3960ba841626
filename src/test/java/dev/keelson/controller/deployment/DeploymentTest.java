package dev.keelson.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeploymentTest {

  @ParameterizedTest
  @CsvSource({"25%, 1", "0026%, 2", "100%, 4", "99999999999999999999%, 85899346"})
  void surge_isAShareOfThePods_howeverItIsWritten(String surge, int pods) {
    Deployment deployment =
        new Deployment(
            new ApiObject(
                CustomTypes.tree(
                    "{'kind':'Deployment','spec':{'replicas':4,'strategy':{'type':'RollingUpdate',"
                        + "'rollingUpdate':{'maxSurge':'"
                        + surge
                        + "','maxUnavailable':0}}}}")));

    assertThat(deployment.maxSurge()).isEqualTo(pods);
  }
}
