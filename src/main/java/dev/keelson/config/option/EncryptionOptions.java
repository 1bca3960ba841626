package dev.keelson.config.option;

import java.nio.file.Path;

/**
 * Encryption at rest.
 *
 * @param file the EncryptionConfiguration
 * @param reload whether the file is reloaded when it changes
 */
public record EncryptionOptions(Path file, boolean reload) {}
