package dev.keelson.config.option;

import java.nio.file.Path;

/**
 * A certificate and its private key, each in a PEM file.
 *
 * @param certificate the certificate, then its intermediates
 * @param key the private key
 */
public record KeyPairFiles(Path certificate, Path key) {}
