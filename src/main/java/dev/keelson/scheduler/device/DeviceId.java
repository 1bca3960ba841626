package dev.keelson.scheduler.device;

/** The name of a device, unique in the cluster. */
record DeviceId(String driver, String pool, String device) {

  @Override
  public String toString() {
    return driver + "/" + pool + "/" + device;
  }
}
